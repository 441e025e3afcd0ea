# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)

from nets import Critic, Policy
from env import PointMass


def rollout(env, policy, n=16):
    s = env.observe()
    S, A, R, S2 = [], [], [], []
    for _ in range(n):
        with torch.no_grad():
            a = policy(s) + 0.1 * torch.randn(4, 1)
        s2, r = env.step(a)
        S.append(s), A.append(a), R.append(r), S2.append(s2)
        s = s2
    return [torch.cat(v) for v in (S, A, R, S2)]


def main():
    torch.manual_seed(19)
    env, policy, critic = PointMass(4), Policy(), Critic()
    pi_opt = torch.optim.Adam(policy.parameters(), 1e-3)
    q_opt = torch.optim.Adam(critic.parameters(), 1e-3)
    for it in range(300):
        s, a, r, s2 = rollout(env, policy)
        actor_obj = -critic(s, policy(s)).mean()
        with torch.no_grad():
            target = r + 0.95 * critic(s2, policy(s2))
        td = (critic(s, a) - target).square().mean()
        q_opt.zero_grad()
        td.backward()
        q_opt.step()  # <- culprit
        pi_opt.zero_grad()
        actor_obj.backward()
        pi_opt.step()
        if it % 50 == 0:
            print(it, td.item(), actor_obj.item())


main()
