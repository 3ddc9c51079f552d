# Example 28.
import torch

message = "saved tensors default hooks are disabled"
try:
    with torch.autograd.graph.disable_saved_tensors_hooks(message):
        # Raises RuntimeError: saved tensors default hooks are disabled
        with torch.autograd.graph.save_on_cpu():
            pass
except RuntimeError as error:
    print(str(error).startswith(message))  # prints: True
