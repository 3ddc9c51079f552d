"""skorch: a network as an estimator of scikit-learn: fit, predict, a pipeline, a search, early stopping."""

import numpy as np
import torch
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNetClassifier, NeuralNetRegressor
from skorch.callbacks import EarlyStopping, EpochScoring, LRScheduler


class Net(torch.nn.Module):
    def __init__(self, width=8, out=2):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, out))

    def forward(self, x):
        return self.layers(x)


draw = np.random.default_rng(0)
x = draw.normal(size=(60, 4)).astype(np.float32)
labels = (x[:, 0] + x[:, 1] > 0).astype(np.int64)
torch.manual_seed(0)
net = NeuralNetClassifier(Net, criterion=torch.nn.CrossEntropyLoss, max_epochs=4, lr=0.1, verbose=0, batch_size=16,
                          iterator_train__shuffle=True,
                          callbacks=[EarlyStopping(patience=2), EpochScoring("accuracy", name="acc"),
                                     ("schedule", LRScheduler("StepLR", step_size=2))])
net.fit(x, labels)
print([round(each, 5) for each in net.history[:, "train_loss"]], net.history[:, "valid_acc"], net.history[:, "acc"])
print(net.predict_proba(x[:3]).tolist(), net.score(x, labels))
torch.manual_seed(1)
regression = NeuralNetRegressor(Net, module__out=1, max_epochs=3, lr=0.05, verbose=0, optimizer=torch.optim.Adam,
                                train_split=None)
regression.fit(x, x[:, :1] * 2)
print(regression.history[:, "train_loss"], regression.predict(x[:3]).tolist())
torch.manual_seed(2)
pipeline = make_pipeline(StandardScaler(), NeuralNetClassifier(Net, criterion=torch.nn.CrossEntropyLoss, verbose=0,
                                                               train_split=None))
search = GridSearchCV(pipeline, {"neuralnetclassifier__lr": [0.01, 0.5]}, cv=2, scoring="accuracy")
search.fit(x, labels)
print(search.best_params_, search.best_score_)
