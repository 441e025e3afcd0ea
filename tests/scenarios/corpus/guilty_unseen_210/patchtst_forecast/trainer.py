import torch

from meters import MeterBoard


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.board = MeterBoard("train/loss", "train/mae", "train/gnorm")

    def step(self, batch):
        x, y = batch
        pred = self.model(x)
        loss = self.model.pinball(pred, y).mean()
        self.opt.zero_grad()
        loss.backward()
        gn = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        mae = (pred.detach()[..., 1] - y).abs().mean()
        self.board.log("train", loss=loss, mae=mae.item(), gnorm=gn.item())  # <- culprit

    def fit(self, stream, steps):
        for i, batch in zip(range(steps), stream):
            self.step(batch)
            if (i + 1) % 40 == 0:
                print(i + 1, self.board.line())
