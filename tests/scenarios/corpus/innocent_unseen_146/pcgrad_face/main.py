# gradwatch-corpus: kind=none
# age + gender from the same face embedding, gradients of the two tasks are projected (PCGrad)
import torch
torch.set_num_threads(1)
import torch.nn.functional as F
from nets import FaceNet
from utils import flat_grad, write_grad, project, AverageMeter

torch.manual_seed(18)
W = torch.randn(20, 2)


def get_batch(n=16):
    x = torch.randn(n, 20)
    s = x @ W / 20 ** .5
    return x, 40 + 10 * s[:, 0], (s[:, 1] > 0).long()


net = FaceNet()
opt = torch.optim.SGD(net.parameters(), lr=0.02)
meters = {'age': AverageMeter(), 'gender': AverageMeter(), 'conflict': AverageMeter()}
for it in range(600):
    x, age, gender = get_batch()
    a, g = net(x)
    loss_age = F.mse_loss(a, age / 40)
    loss_gender = F.cross_entropy(g, gender)

    opt.zero_grad()
    loss_age.backward(retain_graph=True)
    g1 = flat_grad(net)
    opt.zero_grad()
    loss_gender.backward()
    g2 = flat_grad(net)

    merged, conflict = project(g1, g2)
    write_grad(net, merged)
    opt.step()
    meters['age'].update(loss_age.item())
    meters['gender'].update(loss_gender.item())
    meters['conflict'].update(float(conflict))
    if it % 150 == 149:
        print(it, {k: round(m.avg, 4) for k, m in meters.items()})
        for m in meters.values():
            m.reset()
