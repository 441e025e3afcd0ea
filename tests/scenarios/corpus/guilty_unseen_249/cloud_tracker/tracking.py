from contextlib import contextmanager

import torch
from torch.nn import functional as F


class PoseMemory:
    def __init__(self, objects):
        self._last = {"pose": torch.zeros(objects, 4)}

    @property
    def pose(self):
        return self._last["pose"]  # <- culprit

    def remember(self, **entries):
        self._last.update(entries)  # <- culprit


class StepMixin:
    keep_buffers = True

    @contextmanager
    def stepping(self):
        self.optimizer.zero_grad(set_to_none=True)
        yield
        self.optimizer.step()

    def descend(self, loss):
        loss.backward(retain_graph=self.keep_buffers)
        torch.nn.utils.clip_grad_value_(self.net.parameters(), 0.5)


class PoseRunner(StepMixin):
    def __init__(self, net, memory, lr):
        self.net = net
        self.memory = memory
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)

    def observe(self, cloud, target):
        prior = self.memory.pose  # <- culprit
        with self.stepping():
            pose = self.net(cloud, prior)
            loss = F.smooth_l1_loss(pose, target)
            self.descend(loss)
        self.memory.remember(pose=pose)  # <- culprit
        with torch.no_grad():
            drift = (pose - prior).norm(dim=-1).mean()
        return {"loss": loss.item(), "drift": drift.item()}
