# gradwatch-corpus: kind=none
# Deterministic policy gradient on a cart with a pendulum; transitions kept in a growing store,
# Polyak targets, eligibility-like running return baseline.
import torch
import numpy as np
from agent import Agent
from cart import Cart
from store import Store

torch.set_num_threads(1)
torch.manual_seed(77)
np.random.seed(77)

env = Cart()
agent = Agent(4, 1)
store = Store()
baseline = torch.zeros(())
ret_curve, td_curve = [], []

s = env.reset()
ep_ret, n_ep = torch.zeros(()), 0
for it in range(450):
    a = agent.policy(s) + 0.3 * torch.randn(1)
    s2, r, done = env.step(a)
    store.push(s, a, r, s2, done)
    ep_ret = ep_ret + r.detach()
    s = s2.detach()
    if done:
        baseline = 0.9 * baseline + 0.1 * ep_ret
        ret_curve.append(ep_ret)
        s, ep_ret, n_ep = env.reset(), torch.zeros(()), n_ep + 1
    if len(store) >= 32:
        td, q = agent.learn(store.sample(32))
        td_curve.append(td)
    if it % 150 == 149:
        print(f'it {it + 1} episodes {n_ep} return {baseline.item():.3f} td {torch.stack(td_curve[-50:]).mean().item():.4f} |store| {len(store)}')
