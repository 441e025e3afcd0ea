import torch


def proteins(recipe):
    table = torch.randint(0, recipe.states, (recipe.residues,))
    while True:
        n = int(torch.randint(8, 25, ()))
        seq = torch.randint(0, recipe.residues, (n,))
        votes = torch.nn.functional.one_hot(table[seq], recipe.states).float()
        kernel = torch.ones(recipe.states, 1, 3)
        smooth = torch.nn.functional.conv1d(votes.T[None], kernel, padding=1, groups=recipe.states)[0].T
        yield seq, (smooth + 0.5 * votes).argmax(1)


def bucketed(source, size, pool=4):
    while True:
        items = sorted((next(source) for _ in range(size * pool)), key=lambda s: len(s[0]))
        for i in torch.randperm(pool).tolist():
            yield items[i * size:(i + 1) * size]


def padded(source):
    for group in source:
        pad = lambda j, v: torch.nn.utils.rnn.pad_sequence([g[j] for g in group], batch_first=True, padding_value=v)
        yield pad(0, 0), pad(1, -100)
