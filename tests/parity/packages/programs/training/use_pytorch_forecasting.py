"""pytorch-forecasting: a data set of time series, two networks and their losses."""

import warnings

import numpy as np
import pandas as pd
import torch
from pytorch_forecasting import DeepAR, TemporalFusionTransformer, TimeSeriesDataSet
from pytorch_forecasting.metrics import NormalDistributionLoss, QuantileLoss, SMAPE

warnings.simplefilter("ignore")
draws = np.random.default_rng(0)
frame = pd.DataFrame([{"time": t, "series": str(s), "value": float(np.sin(t / 3 + s) + 0.1 * draws.normal()),
                       "known": float(t % 5)} for s in range(3) for t in range(20)])
shared = {"time_idx": "time", "target": "value", "group_ids": ["series"], "max_encoder_length": 8,
          "max_prediction_length": 3}
full = TimeSeriesDataSet(frame, **shared, static_categoricals=["series"], time_varying_known_reals=["known"],
                         time_varying_unknown_reals=["value"])
made = {
    "TFT": (full, lambda: TemporalFusionTransformer.from_dataset(full, hidden_size=4, attention_head_size=1,
                                                                 hidden_continuous_size=4, loss=QuantileLoss())),
    "DeepAR": (full, lambda: DeepAR.from_dataset(full, hidden_size=4, rnn_layers=1, loss=NormalDistributionLoss())),
}
for name, (data, make) in made.items():
    torch.manual_seed(0)
    net = make()
    net.train()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for step, (x, y) in enumerate(data.to_dataloader(train=True, batch_size=8, shuffle=False)):
        if step == 2:
            break
        loss = net.loss(net(x)["prediction"], y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(name, step, f"{loss:.5f}")
print("SMAPE", f"{SMAPE()(torch.tensor([[1.0, 2.0]]), torch.tensor([[1.5, 2.0]])):.5f}")
