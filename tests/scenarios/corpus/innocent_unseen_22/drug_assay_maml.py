# gradwatch-corpus: kind=none
"""Few-shot activity prediction over many assays: second-order MAML, as in the handout of lecture 11, with the
inner steps written out by hand."""
import torch
import torch.nn.functional as F

FINGERPRINT = 40
HIDDEN = 32


def init_weights(gen):
    """The network is a plain dictionary of tensors, so that adapted copies are easy to make."""
    def leaf(*shape, scale):
        return (scale * torch.randn(*shape, generator=gen)).requires_grad_()

    return {
        "w1": leaf(HIDDEN, FINGERPRINT, scale=FINGERPRINT ** -0.5),
        "b1": leaf(HIDDEN, scale=0.0),
        "w2": leaf(1, HIDDEN, scale=HIDDEN ** -0.5),
        "b2": leaf(1, scale=0.0),
        "log_lr": torch.full((4,), -2.5).requires_grad_(),
    }


def predict(weights, x):
    h = torch.tanh(F.linear(x, weights["w1"], weights["b1"]))
    return F.linear(h, weights["w2"], weights["b2"]).squeeze(1)


def sample_assay(gen, shared, n=20):
    """An assay: few relevant bits, most of them common to all assays."""
    own = shared + 0.5 * torch.randn(FINGERPRINT, generator=gen)
    x = (torch.rand(2 * n, FINGERPRINT, generator=gen) < 0.3).float()
    y = torch.tanh(x @ own / 2) + 0.05 * torch.randn(2 * n, generator=gen)
    return (x[:n], y[:n]), (x[n:], y[n:])


def adapt(weights, support, steps=2):
    """Gradient steps that can themselves be differentiated."""
    x, y = support
    names = ["w1", "b1", "w2", "b2"]
    fast = {k: weights[k] for k in names}
    rates = weights["log_lr"].exp()
    for _ in range(steps):
        loss = F.mse_loss(predict(fast, x), y)
        grads = torch.autograd.grad(loss, [fast[k] for k in names], create_graph=True)
        fast = {k: fast[k] - rate * g for k, rate, g in zip(names, rates, grads)}
    return fast


def adapt_for_test(weights, support, steps=2):
    """The same at test time: first order, nothing is kept."""
    x, y = support
    names = ["w1", "b1", "w2", "b2"]
    fast = {k: weights[k].detach().clone().requires_grad_() for k in names}
    rates = weights["log_lr"].detach().exp()
    for _ in range(steps):
        loss = F.mse_loss(predict(fast, x), y)
        grads = torch.autograd.grad(loss, list(fast.values()))
        fast = {k: (v - r * g).detach().requires_grad_() for (k, v), r, g in zip(fast.items(), rates, grads)}
    return fast


def test_error(weights, gen, shared, assays=5):
    total = 0.0
    for _ in range(assays):
        support, query = sample_assay(gen, shared)
        fast = adapt_for_test(weights, support)
        with torch.no_grad():
            total += F.mse_loss(predict(fast, query[0]), query[1]).item()
    return total / assays


def main(iterations=220, assays_per_step=2):
    gen = torch.Generator().manual_seed(111)
    shared = torch.randn(FINGERPRINT, generator=gen)
    weights = init_weights(gen)
    optimizer = torch.optim.Adam(weights.values(), lr=3e-3)
    for iteration in range(iterations):
        total = torch.zeros(())
        for _ in range(assays_per_step):
            support, query = sample_assay(gen, shared)
            fast = adapt(weights, support)
            total = total + F.mse_loss(predict(fast, query[0]), query[1])
        optimizer.zero_grad()
        (total / assays_per_step).backward()
        optimizer.step()
        if iteration % 55 == 54:
            print(f"{iteration + 1:4d}: meta-loss {total.item() / assays_per_step:.4f}, "
                  f"new assays {test_error(weights, gen, shared):.4f}")


if __name__ == "__main__":
    main()
