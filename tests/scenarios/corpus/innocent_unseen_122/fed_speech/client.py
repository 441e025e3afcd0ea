import torch
from torch import nn

from .model import MiniCTC


class Client:
    def __init__(self, cid):
        self.g = torch.Generator().manual_seed(100 + cid)
        proto = torch.Generator().manual_seed(1)
        self.phones = torch.randn(6, 6, generator=proto)
        self.accent = 0.3 * torch.randn(6, generator=self.g)
        self.model = MiniCTC()
        self.ctc = nn.CTCLoss(zero_infinity=True)

    def data(self, n=5, labels=3, per=6):
        y = torch.randint(1, 6, (n, labels), generator=self.g)
        x = self.phones[y].repeat_interleave(per, 1) + self.accent
        return x + 0.3 * torch.randn(x.shape, generator=self.g), y

    def local_update(self, weights, steps):
        self.model.load_state_dict(weights)
        opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        losses = []
        for _ in range(steps):
            x, y = self.data()
            logp = self.model(x)
            loss = self.ctc(logp, y, torch.full((len(x),), len(logp)), torch.full((len(x),), y.shape[1]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss)
        return {k: v.clone() for k, v in self.model.state_dict().items()}, torch.stack(losses).mean().item()
