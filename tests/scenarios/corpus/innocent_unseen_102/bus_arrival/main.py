# gradwatch-corpus: kind=none
from scheduler import RouteScheduler
from routes import RouteSimulator
from model import DelayModel

import torch

torch.set_num_threads(1)
torch.manual_seed(73)

N_ROUTES = 18
sim = RouteSimulator(N_ROUTES)
model = DelayModel(N_ROUTES)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
scheduler = RouteScheduler(N_ROUTES, explore=0.3)

for step in range(400):
    route = scheduler.next_route()
    x, delay = sim.trips(route, 20)
    mu, log_var = model(x, route)
    nll = 0.5 * ((delay - mu).pow(2) / log_var.exp() + log_var)
    loss = nll.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.report(route, loss)
    if step % 50 == 49:
        print(f"step {step + 1:3d} | {scheduler.describe()}")
