# gradwatch-corpus: kind=graph-chain
# holder: z | state.z | st.z | carry.z
# first-bad: 1
# notice: 5
"""Streaming neural ODE (Lotka-Volterra) with pure-function parameters, JAX style."""
import dataclasses
import torch

torch.set_num_threads(1)


@dataclasses.dataclass(frozen=True)
class TrainState:
    params: dict
    z: torch.Tensor
    step: int = 0

    def replace(self, **kw):
        return dataclasses.replace(self, **kw)


def init_params(key, d=2, h=10):
    g = torch.Generator().manual_seed(key)
    raw = {"w1": torch.randn(d, h, generator=g) / d ** 0.5, "b1": torch.zeros(h),
           "w2": 0.1 * torch.randn(h, d, generator=g), "b2": torch.zeros(d)}
    return {k: v.requires_grad_() for k, v in raw.items()}


def field(p, z):
    return torch.tanh(z @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def rk2(p, z, dt=0.1):
    k1 = field(p, z)
    return z + dt * field(p, z + 0.5 * dt * k1)


def true_flow(z, dt=0.1, a=1.1, b=0.4, c=0.4, d=0.1):
    x, y = z.unbind(-1)
    return z + dt * torch.stack([a * x - b * x * y, d * x * y - c * y], -1)


def sgd(params, lr):
    return {k: (v - lr * v.grad.clamp(-1, 1)).detach().requires_grad_() for k, v in params.items()}


def train_step(st, obs, lr=0.02):
    z = rk2(st.params, 0.9 * st.z + 0.1 * obs[0])
    loss = (z - obs[1]).square().mean()
    loss.backward(retain_graph=True)  # <- culprit
    return st.replace(params=sgd(st.params, lr), z=z, step=st.step + 1), loss.item()  # <- culprit


st = TrainState(init_params(4), torch.ones(4, 2))
truth = 1 + torch.rand(4, 2, generator=torch.Generator().manual_seed(9))
for _ in range(220):
    nxt = true_flow(truth).clamp(0, 20)
    st, l = train_step(st, (truth, nxt))
    truth = nxt
    if st.step % 55 == 0:
        print(st.step, f"{l:.4f}")
