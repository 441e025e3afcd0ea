# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .curriculum import CURRICULUM
from .model import Recognizer, clips
from .selfteach import soft_targets


def objective(net, clip, phase, teacher):
    wave, word = clip
    logits = net(wave)
    if phase.soft:
        return torch.nn.functional.kl_div(logits.log_softmax(-1), next(teacher), reduction="batchmean")
    return torch.nn.functional.cross_entropy(logits, word)


def main():
    torch.manual_seed(39)
    net = Recognizer()
    source = clips(12)
    for phase in CURRICULUM:
        phase.apply(net)
        opt = torch.optim.Adam((p for p in net.parameters() if p.requires_grad), lr=phase.lr)
        box = []
        teacher = soft_targets(net, box)
        for _ in range(phase.steps):
            clip = next(source)
            box[:] = [clip[0]]
            loss = objective(net, clip, phase, teacher)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(phase.name, round(loss.item(), 4), torch.is_grad_enabled())


if __name__ == "__main__":
    main()
