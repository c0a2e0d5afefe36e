[playlist]
File1=a.ogg
Title1=One
Length1=3
File2=/b.ogg
NumberOfEntries=2
Version=2
