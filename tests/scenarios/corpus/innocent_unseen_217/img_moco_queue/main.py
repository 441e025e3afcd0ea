# gradwatch-corpus: kind=none
import torch

from augment import TextureViews
from contrast import QueueContrast
from nets import SmallConv
from hooks import HookList, EMAUpdate, Progress


def main():
    torch.manual_seed(90)
    model = QueueContrast(SmallConv(32), SmallConv(32), dim=32, size=192, temperature=0.2)
    opt = torch.optim.SGD(model.online.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-4)
    hooks = HookList([EMAUpdate(model, 0.99), Progress(30)])
    views = TextureViews(classes=10, size=16)
    for step in range(90):
        a, b = views(16)
        out = model(a, b)
        opt.zero_grad()
        out["loss"].backward()
        opt.step()
        hooks.after_step(step, out)


if __name__ == "__main__":
    main()
