"""The tangents of real numbers by an imaginary part in their direction.

Without points: whole, nested.
"""


def stepped(f):
    def of(self):
        if isinstance(self.value, Dual) or np.iscomplexobj(self.value) or np.iscomplexobj(self.tangent):
            return true[f](self)
        result = getattr(np, f)(self.value + 2e-9j * self.tangent)
        return Dual(result.real, result.imag / 2e-9)
    return of


true = {"exp": Dual.exp, "sin": Dual.sin, "cos": Dual.cos}
Dual.exp, Dual.sin, Dual.cos = map(stepped, true)
