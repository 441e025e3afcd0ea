import torch


class PayloadTask:
    """Torque of one joint under an unknown payload and friction."""

    def __init__(self, gen):
        self.gen = gen
        self.mass, self.friction = (0.3 + torch.rand(2, generator=gen)).tolist()

    def sample(self, n):
        q, qd, qdd = (2 * torch.rand(n, 1, generator=self.gen) - 1 for _ in range(3))
        torque = self.mass * (qdd + 2 * q.cos()) + self.friction * torch.tanh(3 * qd)
        return torch.cat([q, qd, qdd], 1), torque


def task_stream(count, seed):
    gen = torch.Generator().manual_seed(seed)
    while True:
        yield [PayloadTask(gen) for _ in range(count)]
