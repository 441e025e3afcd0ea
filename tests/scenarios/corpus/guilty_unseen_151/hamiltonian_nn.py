# gradwatch-corpus: kind=graph-held
# holder: p.grad | param.grad
# first-bad: 1
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def hamiltonian_fn(coords):
    q, p = np.split(coords, 2)
    return 3 * (1 - np.cos(q)) + p ** 2


def pendulum_field(x):
    q, p = x[:, :1], x[:, 1:]
    return np.concatenate([2 * p, -3 * np.sin(q)], axis=1)


def get_dataset(samples=400, noise=0.05, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (samples, 2))
    dx = pendulum_field(x) + noise * rng.standard_normal((samples, 2))
    split = int(0.8 * samples)
    as_t = lambda a: torch.tensor(a, dtype=torch.float32)
    return {"x": as_t(x[:split]), "dx": as_t(dx[:split]), "test_x": as_t(x[split:]), "test_dx": as_t(dx[split:])}


class MLP(nn.Module):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.linear1 = nn.Linear(input_dim, hidden_dim)
        self.linear2 = nn.Linear(hidden_dim, hidden_dim)
        self.linear3 = nn.Linear(hidden_dim, output_dim, bias=False)
        for l in (self.linear1, self.linear2, self.linear3):
            nn.init.orthogonal_(l.weight)

    def forward(self, x):
        h = torch.tanh(self.linear1(x))
        return self.linear3(torch.tanh(self.linear2(h)))


class HNN(nn.Module):
    def __init__(self, differentiable_model):
        super().__init__()
        self.differentiable_model = differentiable_model
        self.register_buffer("M", torch.tensor([[0.0, -1.0], [1.0, 0.0]]))

    def time_derivative(self, x):
        energy = self.differentiable_model(x)
        dF = torch.autograd.grad(energy.sum(), x, create_graph=True)[0]
        return dF @ self.M


class MomentumSGD:
    def __init__(self, params, lr, beta=0.9):
        self.params, self.lr, self.beta = list(params), lr, beta
        self.buf = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        for p, b in zip(self.params, self.buf):
            b.mul_(self.beta).add_(p.grad)
            p.sub_(self.lr * b)

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad.data.zero_()  # <- culprit


def train(steps=90, batch=64):
    torch.manual_seed(0)
    model = HNN(MLP(2, 32, 1))
    optim = MomentumSGD(model.parameters(), 1e-2)
    data = get_dataset()
    test_x = data["test_x"].requires_grad_()
    stats = {"train_loss": [], "test_loss": []}
    for step in range(steps):
        ix = torch.randint(0, len(data["x"]), (batch,))
        x = data["x"][ix].requires_grad_()
        loss = (data["dx"][ix] - model.time_derivative(x)).pow(2).mean()
        optim.zero_grad()
        loss.backward(create_graph=True)  # <- culprit
        optim.step()
        stats["train_loss"].append(loss.item())
        if step % 30 == 0:
            test_dx = model.time_derivative(test_x).detach()
            stats["test_loss"].append((data["test_dx"] - test_dx).pow(2).mean().item())
            print(f"step {step}, train_loss {loss.item():.4e}, test_loss {stats['test_loss'][-1]:.4e}")
    return model, stats


if __name__ == "__main__":
    train()
