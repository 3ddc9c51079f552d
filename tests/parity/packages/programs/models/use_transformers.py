"""transformers: GPT-2 and BERT from small configurations, their losses and gradients, and texts that are continued."""

import torch
from transformers import BertConfig, BertForSequenceClassification, GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
gpt2 = GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=32, n_embd=16, n_layer=2, n_head=2, resid_pdrop=0.0,
                                  embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=49))
tokens = torch.randint(0, 50, (2, 9))
optimizer = torch.optim.AdamW(gpt2.parameters(), lr=1e-3)
for step in range(2):
    loss = gpt2(tokens, labels=tokens).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
print(gpt2.transformer.wte.weight.grad.abs().sum().item())
gpt2.eval()
print(gpt2.generate(tokens[:, :4], max_new_tokens=5, do_sample=False, pad_token_id=49).tolist())

torch.manual_seed(1)
bert = BertForSequenceClassification(BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=2,
                                                num_attention_heads=2, intermediate_size=32, num_labels=3))
bert.eval()
out = bert(tokens, attention_mask=(tokens > 5).long(), labels=torch.tensor([0, 2]))
out.loss.backward()
print("bert", out.loss.item(), out.logits.tolist())
print(bert.bert.embeddings.word_embeddings.weight.grad.norm().item())
