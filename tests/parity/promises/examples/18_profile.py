# Examples 17 and 18.
import torch

x = torch.randn((1, 1), requires_grad=True)
with torch.autograd.profiler.profile() as prof:
    for _ in range(100):  # any normal python code, really!
        y = x ** 2
        y.backward()
# NOTE: some columns were removed for brevity
table = prof.key_averages().table(sort_by="self_cpu_time_total")
calls = {average.key: average.count for average in prof.key_averages()}
print([calls[name] for name in ("mul", "pow", "PowBackward0", "torch::autograd::AccumulateGrad",
                                "torch::autograd::GraphRoot")])
# prints: [200, 200, 100, 100, 100]
