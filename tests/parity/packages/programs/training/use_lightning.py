"""lightning: a LightningModule and a Trainer with callbacks and checkpoints, and the same loop by Fabric."""

import logging
import tempfile
import warnings

import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
logging.getLogger("lightning.fabric").setLevel(logging.ERROR)
warnings.simplefilter("ignore")


class Net(L.LightningModule):
    def __init__(self, width=8, lr=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, width), torch.nn.Tanh(), torch.nn.Linear(width, 1))

    def training_step(self, batch, place):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.layers(x), y)
        self.log("train_loss", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, place):
        x, y = batch
        self.log("val_loss", torch.nn.functional.mse_loss(self.layers(x), y), prog_bar=True)

    def predict_step(self, batch, place):
        return self.layers(batch[0])

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)}


L.seed_everything(0, verbose=False)
x = torch.randn(48, 4)
data = TensorDataset(x, x.sum(1, keepdim=True))
train, val = DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=16)
with tempfile.TemporaryDirectory() as folder:
    keep = ModelCheckpoint(dirpath=folder, monitor="val_loss")
    trainer = L.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_progress_bar=False,
                        enable_model_summary=False, callbacks=[keep, EarlyStopping("val_loss")],
                        gradient_clip_val=1.0, accumulate_grad_batches=2, num_sanity_val_steps=1)
    net = Net()
    trainer.fit(net, train, val)
    print({name: value.item() for name, value in trainer.callback_metrics.items()})
    print(trainer.current_epoch, trainer.global_step, keep.best_model_score.item())
    again = Net.load_from_checkpoint(keep.best_model_path)
    print(again.hparams.width, again.layers[0].weight[0].tolist())
    print(trainer.validate(net, val, verbose=False), trainer.predict(net, val)[0][:2].tolist())

fabric = L.Fabric(accelerator="cpu", devices=1)
fabric.launch()
fabric.seed_everything(1, verbose=False)
model = torch.nn.Linear(4, 1)
model, optimizer = fabric.setup(model, torch.optim.SGD(model.parameters(), lr=0.1))
for x, y in fabric.setup_dataloaders(val):
    loss = torch.nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    fabric.backward(loss)
    fabric.clip_gradients(model, optimizer, max_norm=1.0)
    optimizer.step()
    print("fabric", loss.item())
