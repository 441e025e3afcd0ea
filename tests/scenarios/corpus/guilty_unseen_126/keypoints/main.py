# gradwatch-corpus: kind=crashed
# holder: xy | best
# first-bad: 0
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(7)

from posenet import HandPose
from data import hand_batches


def mean_joint_error(xy, target):
    return torch.linalg.vector_norm(xy - target, dim=-1).mean()


def main():
    model = HandPose(joints=3)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step, (img, joints) in enumerate(hand_batches(300)):
        xy = model(img)
        loss = mean_joint_error(xy, joints)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(step, "px error", loss.item())


main()
