# gradwatch-corpus: kind=none
import torch

from heads import GraspNet, synth
from surgery import GradientSurgery

STEPS = 100
BATCH = 32


def main() -> None:
    torch.manual_seed(71)
    gen = torch.Generator().manual_seed(72)
    net = GraspNet()
    surgery = GradientSurgery(net.trunk.parameters())
    optim = torch.optim.Adam(net.parameters(), lr=1e-3)
    averages = [0.0, 0.0, 0.0]

    for step in range(STEPS):
        batch = synth(BATCH, gen)
        losses = net(batch.depth).losses(batch)
        optim.zero_grad()
        surgery.backward(losses)
        optim.step()
        averages = [0.9 * a + 0.1 * l.item() for a, l in zip(averages, losses)]
        if step % 20 == 19:
            rate = surgery.conflicts / max(1, surgery.calls)
            text = " ".join(f"{a:.4f}" for a in averages)
            print(f"step {step + 1:3d}  quality/width/angle {text}  conflicts {100 * rate:.0f}%")


if __name__ == "__main__":
    main()
