# gradwatch-corpus: kind=graph-chain
# holder: theta
# first-bad: 1
"""Learning the per-layer step sizes of SGD by hypergradients."""
import argparse
import torch
import torch.nn.functional as F


def sample_task(gen, n=32):
    x = torch.rand(n, 1, generator=gen) * 4 - 2
    y = torch.sin(2.0 * x) + 0.1 * torch.randn(n, 1, generator=gen)
    return x, y


def init_theta(width, gen):
    shapes = [(1, width), (width,), (width, 1), (1,)]
    return [(0.5 * torch.randn(s, generator=gen)).requires_grad_() for s in shapes]


def predict(theta, x):
    w1, b1, w2, b2 = theta
    return torch.tanh(x @ w1 + b1) @ w2 + b2


def inner_step(theta, rates, batch):
    x, y = batch
    loss = F.mse_loss(predict(theta, x), y)
    grads = torch.autograd.grad(loss, theta, create_graph=True)
    return [t - r * g for t, r, g in zip(theta, rates, grads)], loss.item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--width", type=int, default=12)
    p.add_argument("--meta-lr", type=float, default=5e-3)
    p.add_argument("--init-rate", type=float, default=0.02)
    args = p.parse_args()

    gen = torch.Generator().manual_seed(4)
    theta = init_theta(args.width, gen)
    log_rates = torch.full((4,), args.init_rate).log().requires_grad_()
    meta_opt = torch.optim.Adam([log_rates], lr=args.meta_lr)

    for step in range(args.steps):
        rates = log_rates.exp()
        theta, train_loss = inner_step(theta, rates, sample_task(gen))  # <- culprit

        xv, yv = sample_task(gen)
        val_loss = F.mse_loss(predict(theta, xv), yv)
        meta_opt.zero_grad()
        val_loss.backward(inputs=[log_rates], retain_graph=True)
        torch.nn.utils.clip_grad_norm_([log_rates], 1.0)
        meta_opt.step()

        if step % 40 == 0:
            shown = ", ".join(f"{r:.4f}" for r in log_rates.detach().exp().tolist())
            print(f"{step:4d} train {train_loss:.4f} val {val_loss.item():.4f} rates [{shown}]")


if __name__ == "__main__":
    main()
