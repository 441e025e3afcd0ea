# gradwatch-corpus: kind=graph-held
# holder: seen | track.rows
# first-bad: 1
# small student for the sorting belt, learns from the big net (tea leaf grades)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(13)

GRADES = 4
N = 1500
x_all = torch.randn(N, 18)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(nn.ReLU())
    return nn.Sequential(*layers[:-1])


# the big net was trained elsewhere, here it only stands in with fixed weights
teacher = mlp(18, 96, 96, GRADES)
with torch.no_grad():
    for p in teacher.parameters():
        p.mul_(3.0)
        p.requires_grad_(False)
    logits_all = teacher(x_all)
    teacher[-1].bias.sub_(logits_all.mean(0))
    y_all = (teacher(x_all) + 0.5 * torch.randn(N, GRADES)).argmax(1)
teacher.eval()


def make_tracker(every=1):
    seen = []

    def track(step, student_logits, teacher_logits):
        if step % every:
            return
        gap = (student_logits - teacher_logits).abs().mean(dim=0)
        seen.append({"step": step, "gap": gap})  # <- culprit

    track.rows = seen
    return track


def kd_loss(s, t, y, temp=3.0, alpha=0.7):
    soft = F.kl_div(F.log_softmax(s / temp, 1), F.softmax(t / temp, 1), reduction="batchmean") * temp ** 2
    hard = F.cross_entropy(s, y)
    return alpha * soft + (1 - alpha) * hard


student = mlp(18, 20, GRADES)
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
track = make_tracker()
callbacks = [track]
results = {"step": [], "loss": [], "valid_acc": []}
best = {"acc": 0.0, "weights": None}
waited = 0

for step in range(140):
    i = torch.randint(0, 1200, (64,))
    with torch.no_grad():
        t = teacher(x_all[i])
    s = student(x_all[i])
    loss = kd_loss(s, t, y_all[i])
    opt.zero_grad()
    loss.backward()
    opt.step()
    for cb in callbacks:
        cb(step, s, t)  # <- culprit

    if step % 10 == 9:
        with torch.no_grad():
            acc = (student(x_all[1200:]).argmax(1) == y_all[1200:]).float().mean().item()
        results["step"].append(step + 1)
        results["loss"].append(loss.item())
        results["valid_acc"].append(acc)
        if acc > best["acc"]:
            best["acc"] = acc
            best["weights"] = {k: v.detach().clone() for k, v in student.state_dict().items()}
            waited = 0
        else:
            waited += 1
        if waited >= 8:
            break

for row in zip(results["step"], results["loss"], results["valid_acc"]):
    print("%4d  %.4f  %.4f" % row)
print("gap per grade, first and last:")
print([round(v, 3) for v in track.rows[0]["gap"].tolist()])
print([round(v, 3) for v in track.rows[-1]["gap"].tolist()])
print("best", best["acc"])
