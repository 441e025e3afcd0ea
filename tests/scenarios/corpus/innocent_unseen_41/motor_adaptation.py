# gradwatch-corpus: kind=none
"""MAML with learned inner rates: motors differ in inertia and friction, adapt from a few samples."""
import torch
import torch.nn as nn
from torch.func import functional_call


class Motor:
    def __init__(self):
        self.inertia = 0.5 + torch.rand(())
        self.friction = 0.1 + 0.8 * torch.rand(())

    def sample(self, n):
        speed = 4 * torch.rand(n, 1) - 2
        volt = 4 * torch.rand(n, 1) - 2
        accel = (volt - self.friction * speed - 0.3 * torch.sign(speed)) / self.inertia
        return torch.cat([speed, volt], 1), accel


class MetaLearner(nn.Module):
    def __init__(self, inner_steps=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
        names = [n for n, _ in self.net.named_parameters()]
        self.log_rate = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for n in names})
        self.inner_steps = inner_steps

    def adapt(self, x, y):
        fast = dict(self.net.named_parameters())
        path = []
        for _ in range(self.inner_steps):
            loss = nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {
                n: p - self.log_rate[n.replace(".", "_")].exp() * g
                for (n, p), g in zip(fast.items(), grads)
            }
            path.append(loss.item())
        return fast, path

    def query(self, fast, x, y):
        return nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y)


def meta_batch(learner, n_motors=4):
    total, curves = 0, []
    for _ in range(n_motors):
        motor = Motor()
        fast, path = learner.adapt(*motor.sample(8))
        total = total + learner.query(fast, *motor.sample(16))
        curves.append(path)
    return total / n_motors, curves


def main():
    torch.manual_seed(61)
    learner = MetaLearner()
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    history = []
    for it in range(76):
        loss, curves = meta_batch(learner)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 10.0)
        opt.step()
        history.append(loss.item())
        if it % 15 == 0:
            first = sum(c[0] for c in curves) / len(curves)
            last = sum(c[-1] for c in curves) / len(curves)
            print(f"{it:3d} query {history[-1]:.4f} support {first:.4f} -> {last:.4f}")


if __name__ == "__main__":
    main()
