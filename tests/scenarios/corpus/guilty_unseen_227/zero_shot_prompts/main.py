# gradwatch-corpus: kind=second-backward
# holder: self._memo | text._memo
# first-bad: 3
import torch
import torch.nn.functional as F

from encoders import ENCODERS

TASKS = [
    ["otter", "heron", "beetle"],
    ["violin", "cello", "oboe"],
    ["granite", "basalt", "slate"],
    ["otter", "oboe", "slate"],
]


def make_episode(names, shots=8):
    xs = []
    ys = []
    for k, name in enumerate(names):
        gen = torch.Generator().manual_seed(sum(map(ord, name)))
        centre = torch.randn(48, generator=gen)
        xs.append(centre + 0.5 * torch.randn(shots, 48))
        ys.append(torch.full((shots,), k))
    return torch.cat(xs), torch.cat(ys)


def main():
    torch.manual_seed(1)
    image = ENCODERS["image"](16)
    text = ENCODERS["prompt"](16)
    params = list(image.parameters()) + list(text.parameters())
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    for episode in range(80):
        names = TASKS[episode % len(TASKS)]
        x, y = make_episode(names)
        logits = image(x) @ text(names).t() / 0.1
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if episode % 10 == 0:
            print("episode", episode, "loss", loss.item())


if __name__ == "__main__":
    main()
