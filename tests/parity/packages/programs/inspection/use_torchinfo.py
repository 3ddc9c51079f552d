"""torchinfo: what layers a network has, the shapes of their results, and how many numbers they keep."""

import torch
from torchinfo import summary

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Flatten(),
                          torch.nn.Linear(4 * 36, 10))
print(summary(net, input_size=(2, 1, 8, 8), verbose=0,
              col_names=("input_size", "output_size", "num_params", "kernel_size", "mult_adds", "trainable")))
print(summary(torch.nn.LSTM(3, 5, 2), input_data=torch.randn(7, 2, 3), verbose=0))
print(summary(torch.nn.TransformerEncoderLayer(8, 2, 16), input_size=(4, 1, 8), depth=3, verbose=0))
report = summary(net, verbose=0)
print(report.total_params, report.trainable_params)
