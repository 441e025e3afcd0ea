class Pages:
    def __init__(self, rows):
        self.rows = rows
        self.front, self.back = [], []

    def write(self, row):
        self.front.append(row)
        if len(self.front) < self.rows:
            return False
        self.front, self.back = self.back, self.front
        self.front.clear()
        return True
