import torch
from torch import nn

STOP = object()


class TrainLoop:
    def __init__(self, steps):
        self.steps = steps
        self.model = nn.GRU(3, 16, batch_first=True)
        self.head = nn.Linear(16, 1)
        self.opt = torch.optim.Adam([*self.model.parameters(), *self.head.parameters()], lr=5e-3)

    def batch(self, n=12, t=8):
        x = torch.randn(n, t, 3)
        return x, x[:, -2:, 0].sum(1, keepdim=True)

    async def run(self, queues):
        for step in range(self.steps):
            x, y = self.batch()
            seq, _ = self.model(x)
            pred = self.head(seq[:, -1])
            loss = nn.functional.mse_loss(pred, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for q in queues:
                await q.put((step, {"loss": loss, "pred": pred, "seq": seq}))
        for q in queues:
            await q.put(STOP)
