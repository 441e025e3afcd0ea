# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
import torch

from loop import Distiller
from lora import inject_lora, TinyEncoder
from shadow import ShadowWeights


def main():
    torch.manual_seed(17)
    teacher = TinyEncoder(vocab=40, dim=32).eval().requires_grad_(False)
    student = TinyEncoder(vocab=40, dim=32)
    student.load_state_dict(teacher.state_dict())
    with torch.no_grad():
        for p in teacher.head.parameters():
            p.add_(0.1 * torch.randn_like(p))
        for p in teacher.block.parameters():
            p.add_(0.05 * torch.randn_like(p))
    trainable = inject_lora(student, rank=4)
    shadow = ShadowWeights(trainable, decay=0.98)
    d = Distiller(teacher, student, trainable, shadow, lr=5e-3, probe_every=20)
    d.run(steps=120)


if __name__ == "__main__":
    main()
