# gradwatch-corpus: kind=graph-chain
# holder: fast | fast[name]
# first-bad: 21
# notice: 5
"""Online adaptation of a learned inverse-dynamics model on a 2-link arm whose payload changes."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(31)


class InverseDynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.Softplus(), nn.Linear(32, 2))

    def forward(self, q, dq, ddq):
        feat = torch.cat([q.sin(), q.cos(), dq, ddq], -1)
        return self.net(feat)


def arm_torque(q, dq, ddq, payload):
    c2, s2 = q[:, 1].cos(), q[:, 1].sin()
    m11 = 1.5 + payload + (1 + payload) * c2
    m12 = 0.5 + 0.5 * (1 + payload) * c2
    t1 = m11 * ddq[:, 0] + m12 * ddq[:, 1] - s2 * dq[:, 0] * dq[:, 1] + q[:, 0].cos() * payload
    t2 = m12 * ddq[:, 0] + 0.5 * ddq[:, 1] + s2 * dq[:, 0] ** 2
    return torch.stack([t1, t2], 1)


def trajectory(steps, batch=16):
    rng = np.random.default_rng(4)
    for t in range(steps):
        q, dq, ddq = (torch.tensor(rng.normal(size=(batch, 2)), dtype=torch.float32) for _ in range(3))
        payload = 0.5 if t < steps // 2 else 1.2
        yield q, dq, ddq, arm_torque(q, dq, ddq, payload)


def pretrain(model, iters=20):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for q, dq, ddq, tau in trajectory(iters):
        loss = F.mse_loss(model(q, dq, ddq), tau)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def adapter(model, lr):
    """Returns predict/learn over fast weights that start at the model's own."""
    fast = dict(model.named_parameters())

    def predict(q, dq, ddq):
        return functional_call(model, fast, (q, dq, ddq))

    def learn(loss):
        weights = list(fast.items())
        loss.backward(inputs=list(model.parameters()))
        for (name, w), slow in zip(weights, model.parameters()):
            fast[name] = w - lr * slow.grad  # <- culprit
            slow.grad = None

    return predict, learn


def main():
    model = InverseDynamics()
    print(f"pretrained to {pretrain(model):.3f}")
    predict, learn = adapter(model, lr=0.01)
    errors = []
    for t, (q, dq, ddq, tau) in enumerate(trajectory(100)):
        loss = F.mse_loss(predict(q, dq, ddq), tau)
        learn(loss)
        errors.append(loss.item())
        if t % 20 == 19:
            print(f"t={t + 1} mse {np.mean(errors[-20:]):.3f}")


if __name__ == "__main__":
    main()
