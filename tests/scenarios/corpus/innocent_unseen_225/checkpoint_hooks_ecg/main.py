# gradwatch-corpus: kind=none
"""Heart beat classification with activation checkpointing and occasional probes."""
from contextlib import nullcontext

import torch
import torch.nn.functional as F

from net import BeatNet
from probes import ActivationProbe, probing


def beats(n, gen):
    t = torch.linspace(-1, 1, 128)
    label = torch.randint(3, (n,), generator=gen)
    width = torch.tensor([0.05, 0.15, 0.08])[label][:, None]
    sign = torch.tensor([1.0, 1.0, -1.0])[label][:, None]
    shift = 0.2 * torch.randn(n, 1, generator=gen)
    x = sign * torch.exp(-((t - shift) / width) ** 2)
    x = x + 0.1 * torch.randn(n, 128, generator=gen)
    return x[:, None], label


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(3)
    model = BeatNet()
    probe = ActivationProbe()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    saved = None
    for it in range(100):
        x, y = beats(16, gen)
        watch = it % 10 == 0
        scope = probing(model, probe, {"act"}) if watch else nullcontext()
        with scope:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
        opt.step()
        if it % 25 == 24:
            weights = {k: v.detach().clone() for k, v in model.state_dict().items()}
            saved = {"it": it, "loss": loss.item(), "weights": weights}
            print(it + 1, f"loss {saved['loss']:.4f}", "dead", probe.stats["act"][-1])
    model.load_state_dict(saved["weights"])
    with torch.no_grad():
        x, y = beats(200, gen)
        print("accuracy", (model(x).argmax(1) == y).float().mean().item())


if __name__ == "__main__":
    main()
