# gradwatch-corpus: kind=none
"""Filtering variational objective: learn the proposal of a bootstrap particle
filter for a stochastic volatility model, two windows' gradients per update."""
import math
from dataclasses import dataclass, replace

import torch

N_PART = 64
WINDOW = 6
ACCUM = 2
LOG2PI = math.log(2.0 * math.pi)


@dataclass(frozen=True)
class Cloud:
    x: torch.Tensor
    logw: torch.Tensor
    logz: float = 0.0


def returns(n, batch, phi=0.95, sigma=0.25):
    h = torch.zeros(batch)
    out = []
    for _ in range(n):
        h = phi * h + sigma * torch.randn(batch)
        out.append(torch.exp(0.5 * h) * torch.randn(batch))
    return torch.stack(out)


def normal_logpdf(x, mu, log_sd):
    z = (x - mu) * torch.exp(-log_sd)
    return -0.5 * (z ** 2 + LOG2PI) - log_sd


def proposal(theta, x, y):
    w1, b1, w2, b2 = theta["net"]
    yy = y[:, None].expand_as(x)
    h = torch.tanh(torch.stack([x, yy, yy.abs()], -1) @ w1 + b1)
    mu, log_sd = (h @ w2 + b2).unbind(-1)
    return x + mu, log_sd.clamp(-3.0, 1.0)


def resample(cloud):
    prob = torch.softmax(cloud.logw.detach(), dim=-1)
    idx = torch.multinomial(prob, cloud.x.shape[-1], replacement=True)
    return replace(cloud, x=cloud.x.gather(-1, idx), logw=torch.zeros_like(cloud.logw))


def propagate(theta, cloud, y):
    phi = torch.tanh(theta["phi"])
    mu, log_sd = proposal(theta, cloud.x, y)
    x = mu + torch.exp(log_sd) * torch.randn_like(mu)
    trans = normal_logpdf(x, phi * cloud.x, theta["log_sigma"].expand_as(x))
    obs = normal_logpdf(y[:, None], torch.zeros(()), 0.5 * x)
    logw = cloud.logw + trans + obs - normal_logpdf(x, mu, log_sd)
    return Cloud(x, logw, cloud.logz)


def window_bound(theta, cloud, ys):
    total = torch.zeros(ys.shape[1])
    for y in ys:
        cloud = propagate(theta, cloud, y)
        total = total + torch.logsumexp(cloud.logw, dim=-1) - math.log(N_PART)
        cloud = resample(cloud)
    carried = Cloud(cloud.x.detach(), cloud.logw.detach(), cloud.logz + total.mean().item())
    return -total.mean() / len(ys), carried


def main():
    torch.manual_seed(101)
    theta = {
        "phi": torch.tensor(0.8, requires_grad=True),
        "log_sigma": torch.tensor(-0.7, requires_grad=True),
        "net": [
            (0.3 * torch.randn(3, 16)).requires_grad_(),
            torch.zeros(16, requires_grad=True),
            (0.1 * torch.randn(16, 2)).requires_grad_(),
            torch.zeros(2, requires_grad=True),
        ],
    }
    leaves = [theta["phi"], theta["log_sigma"], *theta["net"]]
    opt = torch.optim.RMSprop(leaves, lr=3e-3)
    series = returns(120 * WINDOW, batch=8)
    cloud = Cloud(torch.zeros(8, N_PART), torch.zeros(8, N_PART))
    opt.zero_grad()
    for k, ys in enumerate(series.split(WINDOW)):
        loss, cloud = window_bound(theta, cloud, ys)
        (loss / ACCUM).backward()
        if (k + 1) % ACCUM == 0:
            torch.nn.utils.clip_grad_norm_(leaves, 5.0)
            opt.step()
            opt.zero_grad()
        if k % 20 == 0:
            print(f"{k:3d} bound {-loss.item():.3f} logZ {cloud.logz:.1f} phi {torch.tanh(theta['phi']).item():.3f}")


if __name__ == "__main__":
    main()
