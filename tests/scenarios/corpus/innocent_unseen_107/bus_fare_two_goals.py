# gradwatch-corpus: kind=none
"""Linear fare model with two goals (accuracy, equal mean error across districts).

The goals' gradients are taken one by one off the same prediction; where they conflict, each
is projected on the other's normal plane before they are added.
"""
import torch

FEATURES, DISTRICTS = 8, 3


class FareModel:
    def __init__(self):
        self.w = torch.zeros(FEATURES, requires_grad=True)
        self.b = torch.zeros((), requires_grad=True)

    @property
    def params(self):
        return (self.w, self.b)

    def __call__(self, x):
        return x @ self.w + self.b


def trips(n, gen):
    x = torch.randn(n, FEATURES, generator=gen)
    district = torch.randint(DISTRICTS, (n,), generator=gen)
    fare = 3 + x[:, 0] * 1.5 - x[:, 3] + 0.6 * (district == 2) + 0.2 * torch.randn(n, generator=gen)
    x[:, -1] = district.float() + 0.3 * torch.randn(n, generator=gen)
    return x, district, fare


def goals(err, district):
    accuracy = err.square().mean()
    means = torch.stack([err[district == d].mean() for d in range(DISTRICTS)])
    return {"accuracy": accuracy, "parity": means.var() + (err.abs().mean() - 0.1).relu()}


def separate_gradients(model, losses):
    grads = {}
    last = len(losses) - 1
    for i, (name, value) in enumerate(losses.items()):
        for p in model.params:
            p.grad = None
        value.backward(retain_graph=i < last)
        grads[name] = torch.cat([p.grad.reshape(-1) for p in model.params])
    return grads


def surgery(grads):
    out = []
    for a, ga in grads.items():
        g = ga.clone()
        for b, gb in grads.items():
            dot = g @ gb
            if a != b and dot < 0:
                g -= dot / gb.square().sum().clamp(min=1e-12) * gb
        out.append(g)
    return torch.stack(out).sum(0)


def assign(model, flat):
    at = 0
    for p in model.params:
        p.grad = flat[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


def main(steps=400):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(10)
    model = FareModel()
    opt = torch.optim.SGD(model.params, lr=0.05)
    history, conflicts = [], 0
    for step in range(steps):
        x, district, fare = trips(60, gen)
        losses = goals(model(x) - fare, district)
        grads = separate_gradients(model, losses)
        conflicts += int((grads["accuracy"] @ grads["parity"]) < 0)
        assign(model, surgery(grads))
        opt.step()
        history.append({k: v.item() for k, v in losses.items()} | {"grads": grads})
        if step % 80 == 79:
            row = history[-1]
            print(f"{step + 1}: accuracy {row['accuracy']:.3f} parity {row['parity']:.3f} conflicts {conflicts}")
    mean_norm = torch.stack([h["grads"]["parity"].norm() for h in history]).mean()
    print("mean parity gradient", round(mean_norm.item(), 4))


if __name__ == "__main__":
    main()
