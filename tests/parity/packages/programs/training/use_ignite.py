"""ignite: an engine that trains, with metrics, handlers, a schedule and a checkpoint."""

import tempfile

import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import Checkpoint, DiskSaver, EarlyStopping, PiecewiseLinear
from ignite.metrics import Accuracy, ConfusionMatrix, Loss, Precision, Recall, RunningAverage

torch.manual_seed(0)
x = torch.randn(60, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=12)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
optimizer, criterion = torch.optim.SGD(model.parameters(), lr=0.1), torch.nn.CrossEntropyLoss()
trainer = create_supervised_trainer(model, optimizer, criterion)
evaluator = create_supervised_evaluator(model, metrics={
    "accuracy": Accuracy(), "loss": Loss(criterion), "precision": Precision(average=True), "recall": Recall(),
    "confusion": ConfusionMatrix(3)})
RunningAverage(output_transform=lambda loss: loss).attach(trainer, "running")
trainer.add_event_handler(Events.ITERATION_STARTED, PiecewiseLinear(optimizer, "lr", [(0, 0.1), (10, 0.5), (20, 0.0)]))
evaluator.add_event_handler(Events.COMPLETED, EarlyStopping(5, lambda engine: -engine.state.metrics["loss"], trainer))


@trainer.on(Events.EPOCH_COMPLETED)
def validated(engine):
    metrics = evaluator.run(loader).metrics
    print(engine.state.epoch, engine.state.metrics["running"], metrics["accuracy"], metrics["loss"],
          metrics["precision"], metrics["recall"].tolist(), metrics["confusion"].tolist())


with tempfile.TemporaryDirectory() as folder:
    saver = Checkpoint({"model": model, "optimizer": optimizer}, DiskSaver(folder, create_dir=False), n_saved=1)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, saver)
    trainer.run(loader, max_epochs=4)
    print(saver.last_checkpoint is not None, optimizer.param_groups[0]["lr"], model[0].weight[0].tolist())
