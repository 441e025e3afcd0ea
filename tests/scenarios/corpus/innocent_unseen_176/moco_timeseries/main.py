# gradwatch-corpus: kind=none
import torch

from nets import MoCo

LENGTH = 64


def waves(n: int, gen: torch.Generator) -> torch.Tensor:
    t = torch.linspace(0, 6.28, LENGTH)
    freq = 1 + torch.randint(6, (n, 1), generator=gen)
    return torch.sin(freq * t + 6.28 * torch.rand(n, 1, generator=gen))


def augment(x: torch.Tensor) -> torch.Tensor:
    scale = 1 + 0.2 * torch.randn(len(x), 1)
    return scale * x + 0.1 * torch.randn_like(x)


def main() -> None:
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(30)
    model = MoCo(LENGTH)
    opt = torch.optim.SGD(model.query.parameters(), lr=0.05, momentum=0.9)
    snapshots: dict[int, float] = {}
    for step in range(450):
        x = waves(64, gen)
        loss, keys = model(augment(x), augment(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.enqueue(keys)
        if step % 90 == 0:
            snapshots[step] = loss.item()
            print(f"{step:4d} info-nce {loss.item():.3f}")


if __name__ == "__main__":
    main()
