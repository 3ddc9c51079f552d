"""peft: LoRA, IA3 and prefix tuning on small models, trained, merged, saved and loaded."""

import tempfile

import torch
from peft import IA3Config, LoraConfig, PeftModel, PrefixTuningConfig, TaskType, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.second(self.first(x).tanh())


def trained(model, *inputs, steps=3):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.5)
    for step in range(steps):
        loss = (model(inputs[0]) - inputs[1]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())


torch.manual_seed(0)
x, y = torch.randn(6, 4), torch.randn(6, 2)
for config in (LoraConfig(r=2, target_modules=["first", "second"], lora_alpha=4),
               LoraConfig(r=2, target_modules=["first"], use_dora=True, modules_to_save=["second"]),
               IA3Config(target_modules=["first", "second"], feedforward_modules=["second"])):
    torch.manual_seed(1)
    base = Net()
    model = get_peft_model(base, config)
    print(type(config).__name__, model.get_nb_trainable_parameters())
    trained(model, x, y)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        torch.manual_seed(1)
        again = PeftModel.from_pretrained(Net(), folder)
    print(torch.allclose(again(x), model(x)), model.merge_and_unload()(x)[0].tolist())

torch.manual_seed(0)
gpt2 = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2, resid_pdrop=0.0,
                                  embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=19))
tokens = torch.randint(0, 20, (2, 6))
for config in (LoraConfig(task_type=TaskType.CAUSAL_LM, r=2, target_modules=["c_attn"], fan_in_fan_out=True),
               PrefixTuningConfig(task_type=TaskType.CAUSAL_LM, num_virtual_tokens=3)):
    model = get_peft_model(gpt2, config)
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    print(loss.item(), sum(p.grad.abs().sum().item() for p in model.parameters() if p.grad is not None))
    gpt2 = model.unload() if isinstance(config, LoraConfig) else gpt2
