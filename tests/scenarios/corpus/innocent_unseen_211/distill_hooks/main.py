# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from backbones import audio_net
from capture import FeatureTap
from tones import tones


def attention_map(f):
    return F.normalize(f.pow(2).mean(1).flatten(1), dim=-1)


def pretrain(net, steps, gen):
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for _ in range(steps):
        x, y = tones(16, gen)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net.eval().requires_grad_(False)


def distill(teacher, student, steps, gen):
    opt = torch.optim.Adam(student.parameters(), lr=2e-3)
    layers = ["stage1", "stage2"]
    history = []
    with FeatureTap(teacher, layers) as ttap, FeatureTap(student, layers) as stap:
        for step in range(steps):
            x, y = tones(16, gen)
            with torch.no_grad():
                soft = teacher(x)
            logits = student(x)
            kd = F.kl_div(F.log_softmax(logits / 3, -1), F.softmax(soft / 3, -1), reduction="batchmean") * 9
            at = sum((attention_map(stap[k]) - attention_map(ttap[k])).pow(2).sum(1).mean() for k in layers)
            loss = F.cross_entropy(logits, y) + 0.5 * kd + 10 * at
            opt.zero_grad()
            loss.backward()
            opt.step()
            history.append({"ce_kd": loss.item(), "at": at.item()})
            ttap.clear()
            stap.clear()
    return history


if __name__ == "__main__":
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    teacher = pretrain(audio_net(24), 40, gen)
    hist = distill(teacher, audio_net(8), 90, gen)
    for i in range(0, 90, 30):
        print(i, hist[i])
