# gradwatch-corpus: kind=none
# Truncated-Newton logistic regression for loan defaults. Each update takes a handful of
# Hessian-vector products off one gradient graph, so that graph has to outlive every product.
import torch
import torch.nn.functional as F


class HessianProduct:
    def __init__(self, loss, w, damping):
        self.w, self.damping = w, damping
        (self.grad,) = torch.autograd.grad(loss, w, create_graph=True)

    def __call__(self, v):
        (hv,) = torch.autograd.grad(self.grad @ v, self.w, retain_graph=True)
        return hv + self.damping * v


def conjugate_gradient(product, b, rounds, tol=1e-6):
    x = torch.zeros_like(b)
    r, p = b.clone(), b.clone()
    rr = r @ r
    for _ in range(rounds):
        if rr < tol:
            break
        hp = product(p)
        alpha = rr / (p @ hp)
        x += alpha * p
        r -= alpha * hp
        new = r @ r
        p = r + new / rr * p
        rr = new
    return x


class NewtonCG(torch.optim.Optimizer):
    def __init__(self, w, lr=0.5, rounds=4, damping=0.05):
        super().__init__([w], dict(lr=lr, rounds=rounds, damping=damping))

    def step(self, closure):
        group = self.param_groups[0]
        (w,) = group["params"]
        with torch.enable_grad():
            loss = closure()
            product = HessianProduct(loss, w, group["damping"])
        direction = conjugate_gradient(product, product.grad.detach(), group["rounds"])
        with torch.no_grad():
            w.sub_(direction, alpha=group["lr"])
        self.state[w]["last_direction"] = direction
        self.state[w]["n"] = self.state[w].get("n", 0) + 1
        return loss


def loans(n, d, gen, truth):
    x = torch.randn(n, d, generator=gen)
    p = torch.sigmoid(x @ truth - 0.5)
    return x, torch.bernoulli(p, generator=gen)


def main(months=320, d=10):
    torch.set_num_threads(1)
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(50)
    truth = torch.randn(d, generator=gen)
    w = torch.zeros(d, requires_grad=True)
    opt = NewtonCG(w, lr=0.3)
    path, best = [], None
    for month in range(months):
        x, y = loans(80, d, gen, truth)

        def closure():
            return F.binary_cross_entropy_with_logits(x @ w, y) + 5e-3 * w.square().sum()

        loss = opt.step(closure)
        if best is None or loss.item() < best[0].item():
            best = (loss, month)
        path.append((loss.item(), w.detach().clone()))
        if month % 64 == 63:
            cos = F.cosine_similarity(w.detach(), truth, dim=0).item()
            print(f"month {month + 1}: loss {loss.item():.3f} (best {best[0].item():.3f} at {best[1]}) cos {cos:.3f}")
    drift = torch.stack([b[1] - a[1] for a, b in zip(path, path[1:])]).norm(dim=1)
    print("mean step", round(drift.mean().item(), 4))


if __name__ == "__main__":
    main()
