"""Twelve résumés written by hand, each with what it says. All persons, employers and schools are invented."""

from .model import Columns, Document, PageBreak, Paragraph as P, Table


def work(position, name, start, end=None):
    return {"position": position, "name": name, "startDate": start, **({"endDate": end} if end else {})}


def school(institution, study, area=None, end=None):
    return {"institution": institution, "studyType": study, **({"area": area} if area else {}), **({"endDate": end} if end else {})}


def truth(name, email, phone, jobs, schools, skills, occupation):
    return {"basics": {"name": name, "email": email, "phone": phone}, "work": jobs, "education": schools,
            "skills": skills, "occupation": occupation}


def bullets(*texts, sign="•", **style):
    return [P(text, bullet=sign, **style) for text in texts]


def title(text, **style):
    return P(text, **{"size": 12, "bold": True, "heading": True, "before": 10, **style})


def ios_developer():
    """One column, the title first, dates at the right edge."""
    elements = [
        P("Maya Okonkwo", size=22, bold=True, align="center"),
        P("Senior iOS Engineer", size=12, align="center"),
        P("Austin, TX | (512) 555-0134 | maya.okonkwo@example.org | github.com/mokonkwo", align="center", before=4),
        title("Summary"),
        P("iOS engineer with eight years of shipping consumer apps used by millions. I care about small binaries, "
          "smooth scrolling and code that the next person understands."),
        title("Experience"),
        P("Senior iOS Engineer", bold=True, right="Mar 2021 – Present"),
        P("Lanternfish Labs, Austin, TX", italic=True),
        *bullets("Rebuilt the checkout of a grocery app in SwiftUI; crashes fell from 1.1 % to 0.2 % of sessions.",
                 "Moved 140,000 lines from Objective-C to Swift over two years without stopping releases.",
                 "Led a team of five and ran the weekly architecture review with TCA and Tuist."),
        P("iOS Developer", bold=True, right="Jun 2018 – Feb 2021", before=6),
        P("Copperline Transit, Houston, TX", italic=True),
        *bullets("Wrote the offline ticket wallet with Core Data and background sync.",
                 "Cut the cold start from 2.4 s to 0.9 s by lazy loading and measuring with Instruments."),
        P("Junior Mobile Developer", bold=True, right="Jul 2016 – May 2018", before=6),
        P("Pecan Street Software, Austin, TX", italic=True),
        *bullets("Maintained three UIKit apps for regional banks.", "Set up Fastlane and snapshot tests."),
        title("Education"),
        P("B.S. Computer Science", bold=True, right="2012 – 2016"),
        P("University of Northfield"),
        title("Skills"),
        P("Swift, SwiftUI, UIKit, Objective-C, Core Data, Combine, Fastlane, TCA, Tuist, Instruments, SPM, Accessibility audits"),
    ]
    return Document(elements), truth(
        "Maya Okonkwo", "maya.okonkwo@example.org", "(512) 555-0134",
        [work("Senior iOS Engineer", "Lanternfish Labs", "2021-03"), work("iOS Developer", "Copperline Transit", "2018-06", "2021-02"),
         work("Junior Mobile Developer", "Pecan Street Software", "2016-07", "2018-05")],
        [school("University of Northfield", "B.S.", "Computer Science", "2016")],
        ["Swift", "SwiftUI", "UIKit", "Objective-C", "Core Data", "Combine", "Fastlane", "TCA", "Tuist", "Instruments", "SPM",
         "Accessibility audits"], "Mobile Developer")


def nurse():
    """A sidebar at the left with signs before the contact data."""
    side = [
        P("CONTACT", bold=True, size=11, before=30, heading=True),
        P("+1 206 555 0178", icon=True, size=9, before=4), P("t.nguyen.rn@example.org", icon=True, size=9), P("Seattle, WA", icon=True, size=9),
        P("LICENSES", bold=True, size=11, before=14, heading=True),
        P("Registered Nurse, State of Washington", size=9), P("ACLS (2024)", size=9), P("BLS (2024)", size=9), P("PALS (2023)", size=9),
        P("SKILLS", bold=True, size=11, before=14, heading=True),
        *[P(skill, size=9) for skill in ("Triage", "IV therapy", "Ventilator weaning", "Epic", "Wound care", "Code blue response",
                                         "Patient education", "ECMO circuits", "Telemetry")],
        P("LANGUAGES", bold=True, size=11, before=14, heading=True),
        P("English – fluent", size=9), P("Vietnamese – native", size=9),
    ]
    main = [
        P("Nguyễn Thị Thu Hà", size=24, bold=True), P("Registered Nurse, Intensive Care", size=12, colour=(0.2, 0.4, 0.5)),
        P("Intensive care nurse with eleven years at the bedside of adults after heart surgery. Calm in emergencies, patient with "
          "families, fond of teaching new colleagues.", before=8),
        P("WORK EXPERIENCE", bold=True, size=12, before=14, heading=True),
        P("Puget Harbor Medical Center", bold=True, before=6), P("ICU Nurse", italic=True), P("August 2017 to present"),
        *bullets("Care for two to three ventilated patients a shift in a unit of 24 beds.",
                 "Precept new graduates; nine of ten stayed beyond their first year.",
                 "Wrote the unit's checklist for central lines; infections fell by a third."),
        P("Cedar Valley Hospital", bold=True, before=8), P("Staff Nurse", italic=True), P("June 2013 to July 2017"),
        *bullets("Medical-surgical ward of 32 beds, nights and weekends.", "Charge nurse on every third shift from 2015 on."),
        P("EDUCATION", bold=True, size=12, before=14, heading=True),
        P("Bachelor of Science in Nursing", bold=True, before=4), P("Rainier State University, 2013"),
    ]
    return Document([Columns([(30, side), (70, main)], fill={0: (0.9, 0.94, 0.96)})]), truth(
        "Nguyễn Thị Thu Hà", "t.nguyen.rn@example.org", "+1 206 555 0178",
        [work("ICU Nurse", "Puget Harbor Medical Center", "2017-08"), work("Staff Nurse", "Cedar Valley Hospital", "2013-06", "2017-07")],
        [school("Rainier State University", "Bachelor of Science", "Nursing", "2013")],
        ["Triage", "IV therapy", "Ventilator weaning", "Epic", "Wound care", "Code blue response", "Patient education",
         "ECMO circuits", "Telemetry"], "Registered Nurse")


def accountant():
    """Employer first, numeric dates, two pages."""
    elements = [
        P("JONATHAN P. WHITFIELD, CPA", size=16, bold=True), P("14 Alder Court, Columbus, OH 43215"),
        P("Phone: 614.555.0192    E-mail: jp.whitfield@example.org"),
        P("_" * 60, colour=(0.6, 0.6, 0.6)),
        title("PROFESSIONAL EXPERIENCE"),
        P("BUCKEYE FREIGHT HOLDINGS", bold=True, right="Columbus, OH", before=4),
        P("Accounting Manager", italic=True, right="04/2019 - Present"),
        *bullets("Close the books of six entities in four working days (nine when I started).",
                 "Own the consolidation under US GAAP and the yearly audit.",
                 "Automated 40 account reconciliations in BlackLine.", "Supervise three accountants and a payroll clerk."),
        P("Senior Accountant", italic=True, right="09/2016 - 03/2019", before=4),
        *bullets("Prepared the monthly general ledger package and the cash forecast.",
                 "Introduced a three-way match that stopped duplicate payments of $210,000 a year."),
        P("MERIDIAN TAX ADVISORS LLP", bold=True, right="Dayton, OH", before=10),
        P("Staff Accountant", italic=True, right="01/2013 - 08/2016"),
        *bullets("Prepared 250 individual and 60 corporate tax returns a season.",
                 "Trained four interns in the firm's software, UltraTax."),
        P("MAPLE & RYE GROCERS", bold=True, right="Dayton, OH", before=10),
        P("Bookkeeper", italic=True, right="05/2010 - 12/2012"),
        *bullets("Kept accounts payable and receivable of four shops in QuickBooks.", "Ran payroll for 55 people."),
        PageBreak(),
        title("EDUCATION AND CREDENTIALS"),
        P("Wexley College", bold=True, right="2010"), P("Bachelor of Business Administration, Accounting"),
        title("TECHNICAL SKILLS"),
        P("ERP: SAP, Oracle Financials, Yardi"), P("Reporting: Excel, Power BI, BlackLine, Workiva"),
        P("Tax: UltraTax, ONESOURCE"), P("Other: QuickBooks, Month-end close, US GAAP"),
        title("REFERENCES"), P("Available on request."),
    ]
    return Document(elements, font="Liberation Serif"), truth(
        "Jonathan P. Whitfield", "jp.whitfield@example.org", "614.555.0192",
        [work("Accounting Manager", "Buckeye Freight Holdings", "2019-04"), work("Senior Accountant", "Buckeye Freight Holdings", "2016-09", "2019-03"),
         work("Staff Accountant", "Meridian Tax Advisors LLP", "2013-01", "2016-08"), work("Bookkeeper", "Maple & Rye Grocers", "2010-05", "2012-12")],
        [school("Wexley College", "Bachelor of Business Administration", "Accounting", "2010")],
        ["SAP", "Oracle Financials", "Yardi", "Excel", "Power BI", "BlackLine", "Workiva", "UltraTax", "ONESOURCE", "QuickBooks",
         "Month-end close", "US GAAP", "General Ledger", "Account Reconciliations", "Accounts Payable", "Payroll", "Tax Returns"], "Accountant")


def marketing_manager():
    """Two columns of equal width below a heading over both."""
    left = [
        P("Profile", bold=True, size=13, heading=True),
        P("Marketing manager for brands that people eat and drink. Ten years between brief and shelf, with a liking for numbers."),
        P("Work", bold=True, size=13, before=12, heading=True),
        P("Brand Manager, Fjordlys Beverages", bold=True, before=4), P("2020 – now, Copenhagen", size=9),
        *bullets("Launched a line of alcohol-free ciders in five countries.", "Own a media budget of 2 million euros.", sign="–"),
        P("Digital Marketing Specialist, Havn & Co", bold=True, before=8), P("2016 – 2020, Aarhus", size=9),
        *bullets("Doubled organic traffic by SEO and content marketing.", "Ran Google Ads for 14 clients.", sign="–"),
        P("Marketing Assistant, Nordkyst Tours", bold=True, before=8), P("2014 – 2016, Aalborg", size=9),
        *bullets("Wrote the newsletter, 40,000 readers.", sign="–"),
    ]
    right = [
        P("Contact", bold=True, size=13, heading=True),
        P("soren.aagaard@example.org"), P("+45 55 51 02 33"), P("Copenhagen, Denmark"), P("linkedin.com/in/sorenaagaard"),
        P("Education", bold=True, size=13, before=12, heading=True),
        P("MSc in Marketing", bold=True), P("Limfjord Business School"), P("2012 – 2014", size=9),
        P("BSc in Economics", bold=True, before=6), P("Limfjord Business School"), P("2009 – 2012", size=9),
        P("Skills", bold=True, size=13, before=12, heading=True),
        P("Branding · SEO · Google Ads · Content marketing · Shelf planograms · Nielsen panels · Email marketing · "
          "Influencer contracts · Campaign management"),
        P("Languages", bold=True, size=13, before=12, heading=True), P("Danish (native), English (C1), German (B1)"),
    ]
    elements = [P("SØREN AAGAARD", size=26, bold=True, align="center"), P("Brand and Marketing Manager", align="center", size=12),
                P("", before=6), Columns([(56, left), (44, right)], gap=24)]
    return Document(elements, font="DejaVu Sans"), truth(
        "Søren Aagaard", "soren.aagaard@example.org", "+45 55 51 02 33",
        [work("Brand Manager", "Fjordlys Beverages", "2020"), work("Digital Marketing Specialist", "Havn & Co", "2016", "2020"),
         work("Marketing Assistant", "Nordkyst Tours", "2014", "2016")],
        [school("Limfjord Business School", "MSc", "Marketing", "2014"), school("Limfjord Business School", "BSc", "Economics", "2012")],
        ["Branding", "SEO", "Google Ads", "Content marketing", "Shelf planograms", "Nielsen panels", "Email marketing",
         "Influencer contracts", "Campaign management"], "Marketing Manager")


def teacher():
    """No headings at all."""
    elements = [
        P("Rosalind Achterberg", size=18, bold=True),
        P("rosalind.achterberg@example.org   •   (303) 555-0117   •   Denver, Colorado"),
        P("Elementary school teacher, licensed in Colorado, with a heart for children who find reading hard.", before=10),
        P("Third Grade Teacher, Juniper Ridge Elementary School, August 2018 – present", bold=True, before=12),
        *bullets("Teach a class of 26, a third of whom learn English as their second language.",
                 "Raised the share of children reading at grade level from 54 % to 81 % in three years.",
                 "Lead the school's literacy committee.", sign="-"),
        P("Substitute Teacher, Front Range School District, September 2016 – June 2018", bold=True, before=8),
        *bullets("Covered all subjects in eleven schools.", sign="-"),
        P("M.Ed. in Reading Education, University of the High Plains, 2018", before=12),
        P("B.A. in English, Colfax College, 2016", before=2),
        P("Lesson planning, classroom management, Orton-Gillingham, differentiated instruction, DIBELS, Google Classroom, "
          "Running records, IEP", before=12),
    ]
    return Document(elements), truth(
        "Rosalind Achterberg", "rosalind.achterberg@example.org", "(303) 555-0117",
        [work("Third Grade Teacher", "Juniper Ridge Elementary School", "2018-08"),
         work("Substitute Teacher", "Front Range School District", "2016-09", "2018-06")],
        [school("University of the High Plains", "M.Ed.", "Reading Education", "2018"), school("Colfax College", "B.A.", "English", "2016")],
        ["Lesson planning", "Classroom management", "Orton-Gillingham", "Differentiated instruction", "DIBELS", "Google Classroom",
         "Running records", "IEP"], "Teacher")


def electrician():
    """A table with dates in its first column."""
    jobs = Table([
        ["2015 – today", [P("Journeyman Electrician", bold=True), P("Ironbridge Electric Co."),
                          *bullets("Commercial fit-outs up to 400 A; crew lead of three.", "Passed 212 of 214 inspections at the first visit.")]],
        ["2011 – 2015", [P("Apprentice Electrician", bold=True), P("Tri-County Electrical Contractors"),
                         *bullets("Residential wiring, panel changes, service calls.")]],
        ["2009 – 2011", [P("Warehouse Associate", bold=True), P("Halvorsen Building Supply"), *bullets("Picked and loaded orders.")]],
    ], [22, 78])
    training = Table([["2011 – 2015", [P("Electrical Apprenticeship Certificate", bold=True), P("Lakeshore Technical Institute")]],
                      ["2009", [P("High School Diploma", bold=True), P("Millbrook High School")]]], [22, 78])
    elements = [
        P("Curriculum Vitae", size=16, align="right"),
        Table([["Name:", "Dwayne Kowalczyk"], ["Telephone:", "414-555-0166"], ["E-mail:", "d.kowalczyk@example.org"],
               ["Address:", "Milwaukee, WI"]], [22, 78]),
        title("Employment"), jobs, title("Training"), training,
        title("What I know"),
        *bullets("Conduit bending", "Motor controls", "NEC 2023", "Blueprint reading", "Megger testing", "Fire alarm panels", "PLC programming",
                 "Bucket truck"),
    ]
    return Document(elements), truth(
        "Dwayne Kowalczyk", "d.kowalczyk@example.org", "414-555-0166",
        [work("Journeyman Electrician", "Ironbridge Electric Co.", "2015"),
         work("Apprentice Electrician", "Tri-County Electrical Contractors", "2011", "2015"),
         work("Warehouse Associate", "Halvorsen Building Supply", "2009", "2011")],
        [school("Lakeshore Technical Institute", "Electrical Apprenticeship Certificate", None, "2015"),
         school("Millbrook High School", "High School Diploma", None, "2009")],
        ["Conduit bending", "Motor controls", "NEC 2023", "Blueprint reading", "Megger testing", "Fire alarm panels", "PLC programming",
         "Bucket truck"], "Electrician")


def chef():
    """Spread headings, everything centred, a sentence for each position."""
    def head(text):
        return P(text, size=11, spread=True, align="left", before=16, heading=True)
    elements = [
        P("Inés Valcárcel Ibáñez", size=24, align="center"), P("Chef", size=12, align="center"),
        P("ines.valcarcel@example.org — +34 555 019 244 — Valencia, Spain", align="center", size=9),
        head("EXPERIENCE"),
        P("Sous Chef — Casa Marisol, Valencia", bold=True, before=4), P("September 2019 – Present", italic=True),
        P("Second in a kitchen of twelve; write the fish menu with the market each morning, keep food cost at 27 % and train two "
          "apprentices a year in butchery and sauces."),
        P("Chef de Partie — Restaurante El Faro Viejo, Alicante", bold=True, before=8), P("March 2016 – August 2019", italic=True),
        P("Ran the grill and later the pastry section; wrote the HACCP plan that passed three inspections without a remark."),
        P("Line Cook — Bodega Tres Olas, Cádiz", bold=True, before=8), P("June 2014 – February 2016", italic=True),
        P("Cold section and breakfast for 120 covers."),
        head("EDUCATION"),
        P("Diploma in Culinary Arts", bold=True, before=4), P("Escuela de Hostelería del Sur, 2012 – 2014"),
        head("SKILLS"),
        P("Menu development | Butchery | Food safety | HACCP | Sous-vide | Sauces | Bread and pastry | Knife skills | Fermentation", before=4),
        head("LANGUAGES"), P("Spanish, English, French"),
    ]
    return Document(elements, font="Liberation Serif", leading=1.35), truth(
        "Inés Valcárcel Ibáñez", "ines.valcarcel@example.org", "+34 555 019 244",
        [work("Sous Chef", "Casa Marisol", "2019-09"), work("Chef de Partie", "Restaurante El Faro Viejo", "2016-03", "2019-08"),
         work("Line Cook", "Bodega Tres Olas", "2014-06", "2016-02")],
        [school("Escuela de Hostelería del Sur", "Diploma", "Culinary Arts", "2014")],
        ["Menu development", "Butchery", "Food safety", "HACCP", "Sous-vide", "Sauces", "Bread and pastry", "Knife skills", "Fermentation"],
        "Chef")


def data_analyst():
    """Plain text as an applicant types it; ISO dates."""
    elements = [
        P("Adaeze Folarin"), P("Data Analyst"), P("adaeze@folarin.example.org / 020 7946 0958 / London, UK"),
        P("OBJECTIVE", before=10, heading=True), P("To turn messy data of public transport into timetables that work."),
        P("EMPLOYMENT HISTORY", before=10, heading=True),
        P("Thames Orbital Rail (2021-02 to present)", before=6), P("Senior Data Analyst"),
        *bullets("Forecast the load of 300 trains a day in Python and SQL; the error is under 6 %.",
                 "Built 25 dashboards in Tableau that replaced a weekly PDF.", sign="*"),
        P("Greybarn Insurance (2018-06 to 2021-01)", before=6), P("Data Analyst"),
        *bullets("Found 1.2 million pounds of claims paid twice.", "A/B testing of letters to customers.", sign="*"),
        P("Office for Market Towns (2017-09 to 2018-05)", before=6), P("Research Assistant"),
        *bullets("Cleaned surveys of 40 towns in R.", sign="*"),
        P("EDUCATION", before=10, heading=True), P("MSc Statistics, University of Eastmoor, 2017"), P("BSc Mathematics, University of Eastmoor, 2016"),
        P("SKILLS", before=10, heading=True), P("Languages: SQL, Python, R, DAX"), P("Tools: Tableau, Power BI, dbt, Metabase, Great Expectations"),
        P("Methods: A/B testing, regression, survival analysis"),
    ]
    return Document(elements, font="DejaVu Sans"), truth(
        "Adaeze Folarin", "adaeze@folarin.example.org", "020 7946 0958",
        [work("Senior Data Analyst", "Thames Orbital Rail", "2021-02"), work("Data Analyst", "Greybarn Insurance", "2018-06", "2021-01"),
         work("Research Assistant", "Office for Market Towns", "2017-09", "2018-05")],
        [school("University of Eastmoor", "MSc", "Statistics", "2017"), school("University of Eastmoor", "BSc", "Mathematics", "2016")],
        ["SQL", "Python", "R", "DAX", "Tableau", "Power BI", "dbt", "Metabase", "Great Expectations", "A/B testing", "regression",
         "survival analysis", "dashboards"], "Data Analyst")


def construction_manager():
    """The sidebar at the right; entries in one line."""
    main = [
        P("Tomasz Wiśniewski", size=22, bold=True), P("Construction Manager", size=12),
        P("Experience", bold=True, size=13, before=14, heading=True, colour=(0.5, 0.3, 0)),
        P("Construction Manager | Halcyon Build Group | Jan 2018 - Present", bold=True, before=4),
        *bullets("Delivered a 90-bed clinic four weeks early and 3 % under its budget of $38 million.",
                 "Run the weekly look-ahead with 22 subcontractors in Procore."),
        P("Site Manager | Dunmore Contractors Ltd | May 2012 - Dec 2017", bold=True, before=6),
        *bullets("Three schools and a fire station, no lost-time accident in 410,000 hours."),
        P("Assistant Superintendent | Dunmore Contractors Ltd | Aug 2008 - Apr 2012", bold=True, before=6),
        *bullets("Daily logs, requests for information, punch lists."),
        P("Education", bold=True, size=13, before=14, heading=True, colour=(0.5, 0.3, 0)),
        P("BSc Civil Engineering, Politechnika Nadwiślańska, 2008"),
    ]
    side = [
        P("Contact", bold=True, size=12, heading=True), P("Chicago, IL", size=9), P("312 555 0109", size=9), P("tomasz.w@example.org", size=9),
        P("Core Skills", bold=True, size=12, before=12, heading=True),
        *bullets("Scheduling", "Primavera P6", "Procore", "Budgeting", "Lean pull planning", "Tilt-up concrete", "OSHA 30", "Crane lift plans",
                 "Subcontractor management", size=9),
        P("Certificates", bold=True, size=12, before=12, heading=True), P("PMP, 2016", size=9), P("First Aid, 2023", size=9),
    ]
    return Document([Columns([(68, main), (32, side)])], font="DejaVu Sans", margin=45), truth(
        "Tomasz Wiśniewski", "tomasz.w@example.org", "312 555 0109",
        [work("Construction Manager", "Halcyon Build Group", "2018-01"), work("Site Manager", "Dunmore Contractors Ltd", "2012-05", "2017-12"),
         work("Assistant Superintendent", "Dunmore Contractors Ltd", "2008-08", "2012-04")],
        [school("Politechnika Nadwiślańska", "BSc", "Civil Engineering", "2008")],
        ["Scheduling", "Primavera P6", "Procore", "Budgeting", "Lean pull planning", "Tilt-up concrete", "OSHA 30", "Crane lift plans",
         "Subcontractor management"], "Construction Manager")


def mechanical_engineer():
    """Scanned: a page that is a picture."""
    elements = [
        P("Priya Raghunathan", size=20, bold=True), P("Detroit, MI | 313-555-0148 | priya.r@example.org"),
        title("SUMMARY"), P("Mechanical engineer, nine years in electric drive units and their cooling."),
        title("EXPERIENCE"),
        P("Lead Mechanical Engineer, Voltaire Motors", bold=True, right="02/2020 - Present"),
        *bullets("Own the housing of a drive unit built 90,000 times a year.", "Cut its mass by 11 % through topology optimization."),
        P("Mechanical Design Engineer, Grandview Pumps Inc.", bold=True, right="07/2015 - 01/2020", before=6),
        *bullets("Designed impellers in SolidWorks and checked them in ANSYS.", "Took GD&T training to both plants."),
        title("EDUCATION"),
        P("M.S. Mechanical Engineering", bold=True, right="2015"), P("Huron Institute of Technology"),
        title("SKILLS"),
        P("SolidWorks, ANSYS, GD&T, MATLAB, Thermal simulation, Die casting, DFM, Injection molding, Gearbox NVH"),
    ]
    return Document(elements), truth(
        "Priya Raghunathan", "priya.r@example.org", "313-555-0148",
        [work("Lead Mechanical Engineer", "Voltaire Motors", "2020-02"), work("Mechanical Design Engineer", "Grandview Pumps Inc.", "2015-07", "2020-01")],
        [school("Huron Institute of Technology", "M.S.", "Mechanical Engineering", "2015")],
        ["SolidWorks", "ANSYS", "GD&T", "MATLAB", "Thermal simulation", "Die casting", "DFM", "Injection molding", "Gearbox NVH"],
        "Mechanical Engineer")


def customer_service():
    """Seasons, years alone, and sentences with dates among them."""
    elements = [
        P("Leilani Kealoha-Brandt", size=20, bold=True), P("Portland, OR 97209"), P("(971) 555-0125"), P("leilani.kb@example.org"),
        title("About Me", size=14),
        P("Friendly voice on the phone since 2015. I like the calls that nobody else wants."),
        title("Work History", size=14),
        P("Customer Support Specialist at Bramble Outdoor", bold=True), P("Spring 2021 - Current"),
        P("• Answer 60 tickets a day in Zendesk; satisfaction of 96 %."), P("• Wrote 80 articles of the help center."),
        P("Call Center Agent at Cascade Broadband", bold=True, before=6), P("2017 - 2021"),
        P("• Kept nine of ten customers who called to cancel."),
        P("Barista at The Foggy Bean", bold=True, before=6), P("Summer 2015 - Fall 2016"), P("• Opened the shop, trained six baristas."),
        title("Education", size=14),
        P("Associate Degree in Communication"), P("Willamette Community College, 2014 - 2016"),
        title("Skills", size=14),
        *[P("• " + skill) for skill in ("Zendesk", "Conflict resolution", "Intercom", "De-escalation", "Live chat", "Macros", "Customer service",
                                        "Churn prevention")],
    ]
    return Document(elements), truth(
        "Leilani Kealoha-Brandt", "leilani.kb@example.org", "(971) 555-0125",
        [work("Customer Support Specialist", "Bramble Outdoor", "2021-03"), work("Call Center Agent", "Cascade Broadband", "2017", "2021"),
         work("Barista", "The Foggy Bean", "2015-06", "2016-09")],
        [school("Willamette Community College", "Associate Degree", "Communication", "2016")],
        ["Zendesk", "Conflict resolution", "Intercom", "De-escalation", "Live chat", "Macros", "Customer service", "Churn prevention"],
        "Customer Service Representative")


def ux_designer():
    """A sidebar with the name in it, skills with levels, German dates."""
    side = [
        P("Zoë\nMüller-Lüdenscheidt", size=13, bold=True, colour=(0.1, 0.1, 0.3)), P("UX Designer", before=4),
        P("Kontakt", bold=True, size=11, before=14, heading=True),
        P("zoe.mueller@example.org", size=9), P("+49 30 5550 1234", size=9), P("Berlin, Germany", size=9), P("zoemueller.design", size=9),
        P("Skills", bold=True, size=11, before=14, heading=True),
        P("Figma (expert)", size=9), P("User research (advanced)", size=9), P("Prototyping (expert)", size=9), P("Service blueprints", size=9),
        P("Tree testing", size=9), P("Design systems", size=9), P("Wireframing", size=9), P("Storybook", size=9), P("Accessibility (advanced)", size=9),
        P("Sprachen", bold=True, size=11, before=14, heading=True), P("Deutsch, English, Français", size=9),
    ]
    main = [
        P("Experience", bold=True, size=14, heading=True),
        P("Morgenstern Digital GmbH", bold=True, right="03.2021 – heute", before=6), P("Senior UX Designer, Berlin"),
        *bullets("Redesigned the tariff finder of an energy company; the share of finished orders rose from 31 % to 47 %.",
                 "Built a design system of 64 components with three teams."),
        P("Kleeblatt Verkehr AG", bold=True, right="10.2017 – 02.2021", before=8), P("Product Designer, Leipzig"),
        *bullets("Ticket app for 1.4 million riders, tested with 90 people in buses.",
                 "Introduced remote usability testing."),
        P("Studio Papierschiff", bold=True, right="04.2016 – 09.2017", before=8), P("Junior UI Designer, Leipzig"),
        *bullets("Screens and icons for museums."),
        P("Education", bold=True, size=14, before=14, heading=True),
        P("Hochschule für Gestaltung Saaleck", bold=True, right="2012 – 2016"), P("B.A. Interaction Design"),
    ]
    return Document([Columns([(32, side), (68, main)], fill={0: (0.93, 0.93, 0.97)})], font="DejaVu Sans"), truth(
        "Zoë Müller-Lüdenscheidt", "zoe.mueller@example.org", "+49 30 5550 1234",
        [work("Senior UX Designer", "Morgenstern Digital GmbH", "2021-03"), work("Product Designer", "Kleeblatt Verkehr AG", "2017-10", "2021-02"),
         work("Junior UI Designer", "Studio Papierschiff", "2016-04", "2017-09")],
        [school("Hochschule für Gestaltung Saaleck", "B.A.", "Interaction Design", "2016")],
        ["Figma", "User research", "Prototyping", "Service blueprints", "Tree testing", "Design systems", "Wireframing", "Storybook",
         "Accessibility", "Usability testing"], "UX Designer")


# Each person's file, in several formats; the scanned one is a PDF of a picture.
PEOPLE = [
    ("ios-developer", "pdf", ios_developer), ("nurse", "pdf", nurse), ("accountant", "docx", accountant),
    ("marketing-manager", "pdf", marketing_manager), ("teacher", "docx", teacher), ("electrician", "odt", electrician),
    ("chef", "pdf", chef), ("data-analyst", "txt", data_analyst), ("construction-manager", "pdf", construction_manager),
    ("mechanical-engineer", "scan", mechanical_engineer), ("customer-service", "rtf", customer_service),
    ("ux-designer", "pdf", ux_designer),
]
