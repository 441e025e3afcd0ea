import torch


def contract_stream(batches, batch, seed, plans=12, regions=30, numeric=8):
    gen = torch.Generator().manual_seed(seed)
    plan_effect = torch.randn(plans, generator=gen)
    region_effect = 0.5 * torch.randn(regions, generator=gen)
    slope = torch.randn(numeric, generator=gen) / numeric ** 0.5
    for _ in range(batches):
        plan = torch.randint(0, plans, (batch,), generator=gen)
        region = torch.randint(0, regions, (batch,), generator=gen)
        x = torch.randn(batch, numeric, generator=gen)
        logit = plan_effect[plan] + region_effect[region] + 1.5 * x @ slope - 1.0
        gone = (torch.rand(batch, generator=gen) < torch.sigmoid(logit)).float()
        yield plan, region, x, gone
