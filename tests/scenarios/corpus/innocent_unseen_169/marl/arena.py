import torch


class Arena:
    """Agents walk on a torus and are paid for standing near the common beacon."""

    MOVES = torch.tensor([[1.0, 0], [-1, 0], [0, 1], [0, -1]])

    def __init__(self, n_agents):
        self.n = n_agents

    def reset(self):
        self.pos, self.beacon = torch.rand(self.n, 2), torch.rand(2)
        return self.observe()

    def observe(self):
        ids = torch.linspace(0, 1, self.n).unsqueeze(1)
        return torch.cat([self.pos, self.beacon - self.pos, ids], 1)

    def step(self, actions):
        self.pos = (self.pos + 0.1 * self.MOVES[actions]) % 1.0
        return self.observe(), -(self.pos - self.beacon).norm(dim=1)
