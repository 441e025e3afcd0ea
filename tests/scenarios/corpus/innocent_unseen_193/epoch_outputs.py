# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1))
        self.outputs = []

    def training_step(self, batch):
        x, y = batch
        pred = self.net(x).squeeze(1)
        loss = F.mse_loss(pred, y)
        self.outputs.append({"loss": loss, "pred": pred, "target": y})
        return loss

    def on_epoch_end(self):
        pred = torch.cat([o["pred"].detach() for o in self.outputs])
        target = torch.cat([o["target"] for o in self.outputs])
        r2 = 1 - (pred - target).var() / target.var()
        mean = torch.stack([o["loss"].detach() for o in self.outputs]).mean()
        self.outputs.clear()
        return {"loss": mean.item(), "r2": r2.item()}


class Fit:
    def __init__(self, epochs, per_epoch):
        self.epochs, self.per_epoch, self.history = epochs, per_epoch, []

    def run(self, module, data):
        opt = torch.optim.Adam(module.parameters(), lr=2e-3)
        plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=3)
        for epoch in range(self.epochs):
            for _ in range(self.per_epoch):
                loss = module.training_step(data())
                opt.zero_grad()
                loss.backward()
                opt.step()
            logs = module.on_epoch_end()
            plateau.step(logs["loss"])
            self.history.append(logs)
            if epoch % 5 == 0:
                print(epoch, logs)


if __name__ == "__main__":
    torch.manual_seed(0)
    w = torch.randn(12)

    def draw():
        x = torch.randn(24, 12)
        return x, torch.sin(x @ w * 0.3)

    Fit(epochs=22, per_epoch=20).run(Module(), draw)
