import torch

CONTACT = torch.tensor(
    [[1.2, 0.4, 0.3, 0.1], [0.4, 1.0, 0.5, 0.2], [0.3, 0.5, 0.8, 0.3], [0.1, 0.2, 0.3, 0.6]]
)


def sir(comp, doses, beta=0.25, gamma=0.1):
    s, i, r = comp.unbind(-1)
    moved = torch.minimum(doses, s)
    inf = beta * s * (CONTACT @ i)
    rec = gamma * i
    return torch.stack([s - inf - moved, i + inf - rec, r + rec + moved], -1)


class World:
    def __init__(self, n_age):
        self.n_age = n_age
        self.reset()

    def reset(self):
        comp = torch.zeros(self.n_age, 3)
        comp[:, 1] = 0.01 + 0.02 * torch.rand(self.n_age)
        comp[:, 0] = 1.0 - comp[:, 1]
        self.comp = comp

    def snapshot(self):
        return self.comp.clone()

    def act(self, doses):
        with torch.no_grad():
            hidden = 0.01 * self.comp[:, :1] * self.comp[:, 1:2].roll(1, 0)
            nxt = sir(self.comp, doses)
            nxt = nxt + torch.cat([-hidden, hidden, torch.zeros_like(hidden)], -1)
            self.comp = nxt.clamp_min(0.0)
        return self.snapshot()
