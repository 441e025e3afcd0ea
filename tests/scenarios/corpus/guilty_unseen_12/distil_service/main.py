# gradwatch-corpus: kind=graph-held
# holder: self._audits | self._audits[i]._result | service._audits | service._audits[i].result() | service.auditor._audits | self.auditor._audits | future._result | future | auditor._audits
# first-bad: 1
"""Distils the reference keyword classifier (Gaussian classes, known centres) into a narrow network;
agreement audits run on a background pool so that they do not hold up the training loop."""
import torch

from audit import Auditor
from service import DistillationService, Plan, TeacherHandle


def keyword_centres(plan: Plan):
    gen = torch.Generator().manual_seed(plan.seed + 1)
    return 0.5 * torch.randn(plan.classes, plan.features, generator=gen)


def stream(plan: Plan, centres):
    gen = torch.Generator().manual_seed(plan.seed + 2)
    while True:
        y = torch.randint(plan.classes, (plan.batch,), generator=gen)
        yield centres[y] + torch.randn(plan.batch, plan.features, generator=gen), y


def reference(centres):
    """The discriminant of equal Gaussians is linear."""
    net = torch.nn.Linear(centres.shape[1], centres.shape[0]).requires_grad_(False)
    net.weight.copy_(centres)
    net.bias.copy_(-0.5 * centres.square().sum(1))
    return net


def main():
    plan = Plan()
    torch.manual_seed(plan.seed)
    centres = keyword_centres(plan)
    teacher = TeacherHandle(reference(centres))
    with Auditor(workers=1) as auditor:
        service = DistillationService(plan, teacher, auditor)
        for step, (x, y) in zip(range(plan.steps), stream(plan, centres)):
            loss = service.step(x, y)
            if step % 75 == 0:
                print(f"step {step:3d}  loss {loss:.4f}")
        print("agreement by quarter:", ["%.3f" % v for v in auditor.summary(4)])


if __name__ == "__main__":
    main()
