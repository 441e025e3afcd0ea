from collections import defaultdict, deque

import torch

from regressor import FlowRegressor


class Session:
    """Collects one clip from each rig, then updates once on the mean and the worst of them."""

    def __init__(self, rigs, lr):
        self.model = FlowRegressor()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.rigs = rigs
        self.pending = []
        self.outputs = defaultdict(list)
        self.curve = deque(maxlen=50)

    def take(self, rig, flow, angles):
        guess = self.model(flow)
        self.outputs[rig].append(guess)
        self.pending.append((rig, torch.nn.functional.mse_loss(guess, angles)))
        if len(self.pending) == self.rigs:
            self.update()

    def update(self):
        losses = torch.stack([loss for _, loss in self.pending])
        agreement = torch.stack([g.mean(0) for clips in self.outputs.values() for g in clips]).var(0).mean()
        total = losses.mean() + 0.3 * losses.max() + 0.01 * agreement
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.curve.append(total.detach())
        self.pending.clear()
        self.outputs.clear()

    def digest(self):
        return "%.4f (over %d)" % (torch.stack(list(self.curve)).mean().item(), len(self.curve))
