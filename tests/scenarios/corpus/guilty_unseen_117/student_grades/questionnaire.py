import torch

SUBJECTS = ['math', 'reading', 'writing']


def load_students(n=480):
    # gender, lunch, parents education, test preparation, hours, noise
    gen = torch.Generator().manual_seed(8)
    x = torch.randn(n, 8, generator=gen)
    x[:, :2] = (x[:, :2] > 0).float()
    w = {'math': [4., 8, 6, 5, 7, 0, 0, 0], 'reading': [-.3, .5, .4, .3, .5, 0, 0, 0],
         'writing': [-3., 3, 2, 5, 4, 0, 0, 0]}
    y = {}
    for s in SUBJECTS:
        v = x @ torch.tensor(w[s])
        y[s] = v + v.std() * 0.3 * torch.randn(n, generator=gen)
    cut = 400
    return (x[:cut], {s: y[s][:cut] for s in SUBJECTS}), (x[cut:], {s: y[s][cut:] for s in SUBJECTS})
