"""fastai: a Learner with metrics and schedules on tensors and on a table."""

import warnings

import numpy as np
import pandas as pd
import torch
from fastai.tabular.all import Categorify, FillMissing, Normalize, TabularDataLoaders, tabular_learner
from fastai.vision.all import DataLoaders, Learner, accuracy, mse, set_seed

warnings.simplefilter("ignore")


def quiet(learner):
    learner.remove_cb(learner.progress) if hasattr(learner, "progress") else None
    return learner


def told(learner):
    return [f"{each:.4f}" for each in learner.recorder.values[-1]]


set_seed(0)
x = torch.randn(64, 4)
y = (x @ torch.tensor([1.0, -2.0, 0.5, 0.0]))[:, None]
data = list(zip(x, y))
loaders = DataLoaders.from_dsets(data[:48], data[48:], bs=16, device="cpu", num_workers=0)
learner = quiet(Learner(loaders, torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)),
                        loss_func=torch.nn.MSELoss(), metrics=mse))
with learner.no_bar(), learner.no_logging():
    learner.fit_one_cycle(2, 0.01)
    print("fit_one_cycle", told(learner), f"{learner.opt.hypers[0]['lr']:.3g}")
    learner.freeze()
    learner.fit(1, 0.05, wd=0.1)
    print("fit", told(learner))
    print("found", [f"{each:.4f}" for each in learner.get_preds()[0].flatten()[:4]])

set_seed(1)
frame = pd.DataFrame({"kind": ["a", "b", "c", None] * 16, "size": np.arange(64) / 10,
                      "label": [str(k % 2) for k in range(64)]})
frame.loc[3, "size"] = None
loaders = TabularDataLoaders.from_df(frame, procs=[Categorify, FillMissing, Normalize], cat_names=["kind"],
                                     cont_names=["size"], y_names="label", bs=16, valid_idx=list(range(48, 64)),
                                     device="cpu", num_workers=0)
learner = quiet(tabular_learner(loaders, layers=[8], metrics=accuracy))
with learner.no_bar(), learner.no_logging():
    learner.fit_one_cycle(2, 0.01)
    print("table", told(learner))
