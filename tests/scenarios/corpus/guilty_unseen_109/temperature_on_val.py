# gradwatch-corpus: kind=second-backward
# holder: self.last_student | distiller.last_student | self.last_student[name] | logits | s_logits | student | distiller.last_student['gesture']
# first-bad: 60
# notice: 0
"""Distil a wide teacher into a narrow student for gesture recognition (synthetic accelerometer data).

Every epoch has a train phase and a validation phase.  Once the student is past `calibrate_after`
epochs, the validation phase also fits the two temperatures (one per head) against the teacher.
"""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2024)

HP = dict(width_t=96, width_s=16, epochs=10, steps=20, batch=40, alpha=0.6, calibrate_after=2)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(18, width), nn.GELU())
        self.heads = nn.ModuleDict({"gesture": nn.Linear(width, 6), "hand": nn.Linear(width, 2)})

    def forward(self, x):
        z = self.body(x)
        return {k: h(z) for k, h in self.heads.items()}


class World:
    def __init__(self):
        self.wg, self.wh = torch.randn(18, 6), torch.randn(18, 2)

    def batch(self, n):
        x = torch.randn(n, 18)
        return x, {"gesture": (torch.sin(x) @ self.wg).argmax(1), "hand": (x @ self.wh).argmax(1)}


def kd(s, t, temp):
    return F.kl_div(F.log_softmax(s / temp, 1), F.softmax(t / temp, 1), reduction="batchmean") * temp ** 2


class Distiller:
    def __init__(self, hp):
        self.hp = hp
        self.teacher, self.student = Net(hp["width_t"]), Net(hp["width_s"])
        self.log_temp = nn.ParameterDict({k: nn.Parameter(torch.tensor(0.7)) for k in self.student.heads})
        self.opt = torch.optim.Adam(self.student.parameters(), lr=3e-3)
        self.temp_opt = torch.optim.SGD(self.log_temp.parameters(), lr=0.05)
        self.last_student, self.last_teacher = {}, {}

    def pretrain_teacher(self, world, n=60):
        x, y = world.batch(400)
        with torch.no_grad():
            feats = self.teacher.body(x)
            for k, head in self.teacher.heads.items():
                onehot = F.one_hot(y[k], head.out_features).float() * 4 - 2
                sol = torch.linalg.lstsq(torch.cat([feats, torch.ones(len(x), 1)], 1), onehot).solution
                head.weight.copy_(sol[:-1].t())
                head.bias.copy_(sol[-1])
        self.teacher.requires_grad_(False)

    def train_step(self, x, y):
        t_out = self.teacher(x)
        s_out = self.student(x)
        loss = 0.0
        for name, s_logits in s_out.items():
            hard = F.cross_entropy(s_logits, y[name])
            soft = kd(s_logits, t_out[name], self.log_temp[name].detach().exp())
            loss = loss + (1 - self.hp["alpha"]) * hard + self.hp["alpha"] * soft
            self.last_student[name] = s_logits  # <- culprit
            self.last_teacher[name] = t_out[name]
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def validate(self, world, epoch):
        with torch.no_grad():
            x, y = world.batch(200)
            out = self.student(x)
            acc = {k: (out[k].argmax(1) == y[k]).float().mean().item() for k in out}
        if epoch >= self.hp["calibrate_after"]:
            self.calibrate()
        return acc

    def calibrate(self):
        self.temp_opt.zero_grad()
        fit = sum(kd(self.last_student[k] / self.log_temp[k].exp(),  # <- culprit
                     self.last_teacher[k], 1.0) for k in self.log_temp.keys())
        fit.backward()
        self.temp_opt.step()


world = World()
distiller = Distiller(HP)
distiller.pretrain_teacher(world)
for epoch in range(HP["epochs"]):
    losses = [distiller.train_step(*world.batch(HP["batch"])) for _ in range(HP["steps"])]
    acc = distiller.validate(world, epoch)
    print(f"epoch {epoch} train {sum(losses) / len(losses):.3f} "
          f"gesture {acc['gesture']:.2f} hand {acc['hand']:.2f}")
