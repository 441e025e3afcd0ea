# gradwatch-corpus: kind=none
"""Exact Gaussian process on drifting sensor data; hyperparameters by marginal likelihood."""
import torch

from kernel import ProcessKernel
from likelihood import marginal, predict

torch.set_num_threads(1)
torch.manual_seed(27)


def sensor(n=40):
    x = torch.linspace(-3, 3, n).unsqueeze(1)
    return x, torch.sin(1.7 * x[:, 0]) + 0.3 * x[:, 0] + 0.1 * torch.randn(n)


def main():
    x, y = sensor()
    fresh = torch.linspace(-2.5, 2.5, 11).unsqueeze(1)
    kernel = ProcessKernel(x)
    opt = torch.optim.Adam(kernel.parameters(), lr=0.03)
    opt.register_step_post_hook(lambda *_: kernel.forget())
    for step in range(90):
        opt.zero_grad()
        loss = marginal(kernel, y) + 0.01 * kernel.complexity()
        loss.backward()
        opt.step()
        if step % 18 == 17:
            with torch.no_grad():
                mean = predict(kernel, y, fresh)
            kernel.forget()
            print(f"step {step + 1} nll {loss.item():.3f} mean at 0 {mean[5].item():.3f}")


if __name__ == "__main__":
    main()
