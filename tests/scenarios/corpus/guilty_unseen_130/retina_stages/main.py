# gradwatch-corpus: kind=crashed
# first-bad: 210
# notice: 0
import torch
import torch.nn.functional as F

torch.set_num_threads(1)

from data import fundus_batches
from net import GradingNet
from plan import SCHEDULE, apply_stage


def main():
    torch.manual_seed(11)
    net = GradingNet(grades=5)
    for stage in SCHEDULE:
        apply_stage(net, stage)
        opt = torch.optim.AdamW(net.parameters(), lr=stage.lr)
        seen = hits = 0
        for img, grade in fundus_batches(stage.steps, seed=stage.steps):
            logits = net(img)
            loss = F.cross_entropy(logits, grade)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += len(grade)
            hits += (logits.argmax(1) == grade).sum().item()
        print(f"{stage.title}: acc {hits / seen:.3f}")


if __name__ == "__main__":
    main()
