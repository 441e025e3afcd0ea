# gradwatch-corpus: kind=graph-chain
# holder: w | b
# about: gradient descent by hand with autograd.grad; the new weights remember how they were made
import torch

torch.manual_seed(0)


def make_data(n=256):
    x = torch.randn(n, 8)
    y = x @ torch.linspace(-1, 1, 8).unsqueeze(1) + 0.5 + 0.05 * torch.randn(n, 1)
    return x, y


def predict(x, w, b):
    return torch.tanh(x @ w) + b


def main():
    x, y = make_data()
    w = torch.randn(8, 1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    lr = 0.05
    for step in range(60):
        idx = torch.randint(0, len(x), (32,))
        loss = ((predict(x[idx], w, b) - y[idx]) ** 2).mean()
        grad_w, grad_b = torch.autograd.grad(loss, (w, b))
        w = w - lr * grad_w  # <- culprit
        b = b - lr * grad_b  # <- culprit
        if step % 20 == 0:
            print(f"step {step}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
