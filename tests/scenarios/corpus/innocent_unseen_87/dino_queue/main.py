# gradwatch-corpus: kind=none
"""Self-distillation with multi-crop, centring, an EMA teacher and a nearest-neighbour queue (DINO + NNCLR)."""
import torch

from crops import MultiCrop
from losses import DINOLoss, NNQueue
from nets import Wrapper, ema_update, make_teacher
from utils import MetricLogger, cosine_scheduler

CFG = dict(dim=32, out=48, local=3, epochs=8, per_epoch=50, batch=24, lr=2e-3, momentum=0.99, queue=256)


def main(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    student = Wrapper(cfg["dim"], 48, cfg["out"])
    teacher = make_teacher(student)
    crit = DINOLoss(cfg["out"], cfg["local"] + 2, cfg["epochs"])
    queue = NNQueue(cfg["queue"], cfg["out"])
    opt = torch.optim.AdamW(student.parameters(), lr=cfg["lr"])
    total = cfg["epochs"] * cfg["per_epoch"]
    lr_sched = cosine_scheduler(cfg["lr"], 1e-5, total, warmup=30)
    wd_sched = cosine_scheduler(0.04, 0.4, total)
    m_sched = cosine_scheduler(cfg["momentum"], 1.0, total)
    crops = MultiCrop(cfg["dim"], cfg["local"])
    for epoch in range(cfg["epochs"]):
        logger = MetricLogger(window=20)
        for i in range(cfg["per_epoch"]):
            it = epoch * cfg["per_epoch"] + i
            for g in opt.param_groups:
                g["lr"], g["weight_decay"] = lr_sched[it], wd_sched[it]
            views = crops(cfg["batch"])
            t_out = teacher(views[:2])
            s_out = student(views)
            loss = crit(s_out, t_out, epoch) + 0.1 * queue.loss(s_out[:1], t_out[0])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 3.0)
            student.freeze_last(epoch < 1)
            opt.step()
            ema_update(teacher, student, m_sched[it])
            logger.update(loss=loss, lr=lr_sched[it], center=crit.center.norm())
        print(f"epoch {epoch} {logger}")


if __name__ == "__main__":
    main(CFG)
